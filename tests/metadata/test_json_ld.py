"""JSON-LD: broken scripts, any JSON, and limits."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher import metadata
from thresher.metadata import Metadata
from thresher.metadata.json_ld import page_objects

DAY = "2024-05-03"


def read(script: str) -> Metadata:
    return metadata.read(thresher.parse(f'<script type="application/ld+json">{script}</script>'))


ARTICLE = '{"@type": "Article", "headline": "Tea", "datePublished": "2024-05-03"}'


@pytest.mark.parametrize(
    "script",
    [
        ARTICLE,
        f"<!-- {ARTICLE} -->",
        f"//<![CDATA[\n{ARTICLE}\n//]]>",
        f"{ARTICLE};",
        f"\ufeff{ARTICLE}",
        f"{ARTICLE}{ARTICLE}",
        f"{ARTICLE} trailing words",
        ARTICLE.replace("Tea", "Tea\nwith milk"),
        ARTICLE.replace("}", ",}"),
        f"[{ARTICLE},]",
        '{"@graph": ' + f"[[{ARTICLE}]]}}",
        ARTICLE.replace("}", ', "x": "unclosed'),
        ARTICLE.replace('"@type"', "'@type'"),
        ARTICLE[:-1],
    ],
)
def test_broken_scripts_are_repaired(script):
    html = f'<script type="application/LD+JSON; charset=utf-8">{script}</script>'
    assert metadata.read(thresher.parse(html)).published.value == DAY


def test_the_author_in_a_broken_script():
    broken = '{"author": {"@type": "Person", "name": "Ada \\u0042erg"}, "dateModified": "x" "y"'
    found = read(broken)
    assert found.authors.value == ("Ada Berg",)


@given(st.text(max_size=200))
def test_any_script_is_read_without_an_error(script):
    assert isinstance(page_objects([script, ARTICLE]), list)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=10) | st.just(DAY),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "@type @graph @id @value @list name author headline datePublished keywords image "
                "url description inLanguage publisher license mainEntity".split()
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@given(json_values)
def test_any_json_gives_well_formed_fields(value):
    found = read(json.dumps(value))
    assert all(isinstance(name, str) and name for name in found.authors.value)
    assert isinstance(json.dumps(found.to_dict()), str)
    assert found.published.value in ("", DAY)


def test_the_number_of_objects_is_limited():
    nested: dict[str, object] = {"@type": "Article"}
    for _ in range(900):
        nested = {"mainEntity": nested}
    assert len(page_objects([json.dumps(nested)])) <= 500
    assert len(page_objects([json.dumps([{"@type": "Article"}] * 10_000)])) == 500
    assert page_objects(["x" * 3_000_000, ARTICLE]) == []  # after the limit nothing is read


@pytest.mark.parametrize(
    "script",
    [
        r'{"@type": "Article", "headline": "Kettles \uD83D and \ud83d\ude00", '
        r'"author": "A \udc00"}',
        r'{"@type": "Article",, "headline": "Kettles \uD83D and \ud83d\ude00", '
        r'"author": {"name": "A \udc00"}}',
    ],
)
def test_unpaired_surrogates_are_replaced(script):
    document = thresher.extract(f'<script type="application/ld+json">{script}</script><p>tea')
    assert document.title == "Kettles \ufffd and \U0001f600"
    assert document.authors == ("A \ufffd",)
    assert json.loads(document.render("json").encode())["title"] == document.title
