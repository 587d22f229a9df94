"""The pages of docs/news-monitoring.md: what is in them, and what is read from them."""

import re
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

import thresher
from examples.news.make_pages import ARTICLES, PAPERS, articles, write_pages

TOPICS = {
    "flood": r"\bflood|high water",
    "election": r"\belection|\bvote",
    "heat": r"\bheat|drought",
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    assert write_pages(folder) == 120
    return folder


def test_the_same_pages_are_written_every_time(pages: Path, tmp_path: Path) -> None:
    write_pages(tmp_path)
    files = [path.relative_to(pages) for path in sorted(pages.rglob("*.html"))]
    assert len(files) == 120
    assert all((pages / name).read_bytes() == (tmp_path / name).read_bytes() for name in files)
    assert Counter(name.parts[0] for name in files) == dict.fromkeys(PAPERS, 40)


def test_the_pages_of_one_paper_in_one_folder(pages: Path, tmp_path: Path) -> None:
    host = "harbour-lamp.example"
    assert write_pages(tmp_path, host) == 40
    assert sorted(path.read_bytes() for path in tmp_path.glob("*.html")) == sorted(
        path.read_bytes() for path in (pages / host).rglob("*.html")
    )


def test_every_page_has_words_of_every_topic(pages: Path) -> None:
    for path in pages.rglob("*.html"):
        text = path.read_text(encoding="utf-8").lower()
        assert all(re.search(pattern, text) for pattern in TOPICS.values()), path


def test_articles_are_about_their_topics() -> None:
    """Of each week, the number of articles that begin with a topic's words is that of the table."""
    found: Counter[tuple[int, str]] = Counter()
    for article in articles():
        week = (article.day - date(2024, 3, 18)).days // 7
        body = " ".join(article.paragraphs).lower()
        about = [topic for topic, pattern in TOPICS.items() if re.search(pattern, body)]
        assert len(about) <= 1, article
        found.update((week, topic) for topic in about)
    assert found == Counter(
        {
            (week, topic): count
            for topic, counts in ARTICLES.items()
            for week, count in enumerate(counts)
            if count
        }
    )


def test_dates_and_headlines_are_read_from_the_pages(pages: Path) -> None:
    for article in list(articles())[::7]:
        document = thresher.extract(pages / article.host / article.path)
        assert (document.date or "")[:10] == str(article.day)
        assert document.title == article.title
        assert all(paragraph in document.text for paragraph in article.paragraphs)
