"""Labels: what each segment of a page is, from the default's judgement and from its geometry.

`label` measures every segment (`Measures`) and gives it the kind of the first rule of `RULES` that
holds:

    page      all of the page but a few words
    header    the band at the top: name, logo, main menu
    footer    the band at the bottom
    sidebar   a column beside the content, of several things
    content   the part with the main content of the page
    menu      links to the parts of the site
    title     a heading
    text      running text
    links     a list of links, or a teaser
    table     a data table
    form      fields to fill in
    notice    about cookies, a newsletter
    image, logo, video, ad, author, comments
    list      a list of records, and `record`, one of them: only a segmenter gives these kinds
    other     none of these

They are those of hand-drawn blocks on saved pages, and a few more; docs/visual.md says how often
the rules agree with them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from thresher.methods.default.judge import Default
from thresher.page import Page
from thresher.page.array_types import AnyRows, Bools, Floats
from thresher.page.arrays import inside
from thresher.page.plain_text.tables import data_tables
from thresher.page.tags import HEADING, NUMBER, lookup
from thresher.structure.block_kinds import kinds_of_blocks, row_parts
from thresher.visual.rendered_page import RenderedPage
from thresher.visual.segments import Segments

_IMAGE = lookup("img svg canvas")
_VIDEO = lookup("video object embed")
_FRAME = lookup("iframe")
_FIELD = lookup("input select textarea")
_NO_FIELDS = frozenset({"hidden", "image", "submit", "button", "reset"})  # types of inputs
_PARTS = ("advertisement", "comment", "footer", "form", "header", "meta", "navigation", "notice")

# Widths and heights of common advertisements, of the Interactive Advertising Bureau.
_AD_SIZES = frozenset(
    {(88, 31), (120, 60), (120, 90), (120, 240), (120, 600), (125, 125), (160, 600), (180, 150),
     (234, 60), (250, 250), (300, 250), (300, 600), (336, 280), (468, 60), (728, 90), (970, 250)}
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Measures:
    """What the rules know of each segment: one array each, one number per segment.

    Lengths are in CSS pixels. Shares of the width are of the part of the window that holds
    anything, so that margins do not count. Only what is visible counts.
    """

    undivided: Bools
    left: Floats  # left edge, from 0 to 1
    right: Floats  # right edge
    top: Floats  # pixels above it
    below: Floats  # pixels of the page below it
    width: Floats  # share of the width
    height: Floats  # pixels
    words: Floats
    of_words: Floats  # share of the page's words
    content: Floats  # share of its words that the default expects to be content
    of_content: Floats  # share of the page's expected content
    linked: Floats  # share of its characters that are links
    links: Floats  # number of links
    heading: Floats  # share of its characters in headings
    bold: Floats  # share of its characters in bold letters
    font: Floats  # largest font size over the usual one of the page
    images: Floats  # number of images
    drawn: Floats  # number of images, videos and frames
    image_share: Floats  # share of its area that images cover
    video_share: Floats
    fields: Floats  # number of fields to fill in
    is_table: Bools  # it is a data table
    is_ad: Bools  # it has the size of an advertisement and holds one picture or frame
    parts: dict[str, Floats]  # share of its words in each part of the page that class names tell

    @property
    def is_empty(self) -> Bools:
        """It has no text, links, pictures or fields."""
        found: Bools = self.words + self.links + self.drawn + self.fields == 0
        return found

    @property
    def at_top(self) -> Bools:
        """It ends in the part of the page that one sees first."""
        found: Bools = self.top + self.height < 430
        return found

    @property
    def is_wide(self) -> Bools:
        """It takes most of the width."""
        return self.width > 0.6

    @property
    def is_column(self) -> Bools:
        """It is narrow and stands at the left or right edge."""
        return ((self.left < 0.08) | (self.right > 0.92)) & (self.width < 0.35)

    @property
    def is_picture(self) -> Bools:
        """Images cover it, with a caption at most."""
        found: Bools = (self.image_share > 0.8) & (self.words < 8) & (self.heading == 0)
        return found

    @property
    def is_lone_link(self) -> Bools:
        """It is one link, drawn by a style sheet or written in large letters."""
        is_large = (self.words == 0) & (self.height > 20) | (self.words < 5) & (self.font > 1.3)
        found: Bools = is_large & (self.links == 1)
        return found

    @property
    def is_short_links(self) -> Bools:
        """It is made of links of few words."""
        found: Bools = (self.linked > 0.6) & (self.links > 1) & (self.words < 4.5 * self.links)
        return found

    @property
    def is_prose(self) -> Bools:
        """Most of its words are expected to be content."""
        return (self.content > 0.5) & (self.words > 15)

    @property
    def is_main(self) -> Bools:
        """It has most of the content of the page."""
        return self.of_content > 0.5

    @property
    def is_heading(self) -> Bools:
        """It is a few words in a heading, or in large or bold letters."""
        is_bold_line = (self.bold > 0.8) & (self.height < 40)
        is_marked = (self.heading > 0.8) | (self.font > 1.3) | is_bold_line
        return (self.words > 0) & (self.words <= 15) & is_marked


class Rule(NamedTuple):
    """A kind, and which segments have it unless an earlier rule holds."""

    kind: str
    holds: Callable[[Measures], Bools]


# Read from the top: the first rule that holds gives the kind. The numbers, here and in `Measures`,
# were chosen on one half of the sites in the corpus `segments-random`.
RULES = (
    Rule("page", lambda s: ~s.undivided & (s.of_words > 0.9) & (s.width > 0.9) & (s.top < 50)),
    Rule("video", lambda s: s.video_share > 0.5),
    Rule("ad", lambda s: s.is_ad | (s.parts["advertisement"] > 0.5)),
    Rule("notice", lambda s: s.parts["notice"] > 0.5),
    Rule("comments", lambda s: s.parts["comment"] > 0.5),
    Rule("author", lambda s: (s.parts["meta"] > 0.5) & (s.words < 30) & (s.heading < 0.2)),
    Rule("menu", lambda s: s.is_short_links & s.at_top & (s.height < 80) & (s.images < 3)),
    Rule("header", lambda s: s.at_top & s.is_wide & ~s.is_prose & (s.height > 60)),
    Rule("form", lambda s: (s.fields > 0) & (s.words < 40)),
    Rule("logo", lambda s: s.is_picture & (s.top < 150) & (s.height > 20) & (s.height < 200)),
    Rule("logo", lambda s: s.is_lone_link & (s.top < 150) & (s.height < 200)),
    Rule("image", lambda s: s.is_picture),
    Rule("footer", lambda s: s.parts["footer"] > 0.5),
    Rule("title", lambda s: s.is_heading & (s.linked == 0) & (s.height < 120)),
    Rule("header", lambda s: s.at_top & s.is_wide & ~s.is_prose),
    Rule("menu", lambda s: s.is_short_links & (s.is_column | s.at_top)),
    Rule("footer", lambda s: (s.below < 100) & (s.height < 250) & (s.width > 0.5) & ~s.is_main),
    Rule("table", lambda s: s.is_table & (s.linked < 0.4)),
    Rule("content", lambda s: s.is_main & (s.height > 200)),
    Rule("other", lambda s: s.is_empty),
    Rule("sidebar", lambda s: s.is_column & (s.height > 300)),
    Rule("links", lambda s: (s.linked > 0.5) | (s.links > 0) & (s.content < 0.4)),
    Rule("text", lambda s: s.words > 0),
    Rule("content", lambda s: s.is_wide & (s.height > 200)),
    Rule("image", lambda s: s.image_share > 0.15),
)

KINDS = (*dict.fromkeys(rule.kind for rule in RULES), "list", "record", "other")


def label(segments: Segments) -> Segments:
    """Return the segments with the kind of each, one of `KINDS`; kinds that they have are kept."""
    measures = measure(segments)
    found = np.full(len(segments), "other", object)
    is_open = np.ones(len(segments), np.bool_)
    for rule in RULES:
        holds = rule.holds(measures) & is_open
        found[holds] = rule.kind
        is_open &= ~holds
    given = segments.kinds or ("",) * len(segments)
    return segments.labelled([own or kind for own, kind in zip(given, found, strict=True)])


def measure(segments: Segments) -> Measures:
    """Measure every segment of a page."""
    page = segments.page
    size = len(page)
    total = _Totals(segments)
    text = page.text_rows
    is_shown = page.visible.take(text)
    chars, words, linked = np.zeros(size), np.zeros(size), np.zeros(size)
    chars[text] = page.chars.take(text) * is_shown
    words[text] = page.words.take(text) * is_shown
    linked[text] = chars.take(text) * page.linked.take(text)
    expected, parts = _judged(page, words)
    tag = page.tag
    area = np.where(page.visible, page.w * page.h, 0).astype(np.float64)
    is_image, is_video = _IMAGE.take(tag), _VIDEO.take(tag)
    in_heading = inside(HEADING.take(tag), page.end)

    x, y, w, h = segments.boxes.T
    box_area = np.maximum(w * h, 1)
    low, high, bottom = _extent(page)
    width = max(high - low, 1.0)
    all_words, all_chars = total(words), total(chars)
    links, images = (total(page.is_link & page.visible), total(is_image & page.visible))
    content = total(expected)
    drawn = total((is_image | is_video | _FRAME.take(tag)) & page.visible)
    sizes = zip(w.round().astype(int).tolist(), h.round().astype(int).tolist(), strict=True)
    has_ad_size = np.array([box in _AD_SIZES for box in sizes], np.bool_).reshape(-1)
    return Measures(
        undivided=segments.is_leaf,
        left=(x - low) / width,
        right=(x + w - low) / width,
        top=y,
        below=bottom - (y + h),
        width=w / width,
        height=h,
        words=all_words,
        of_words=all_words / max(words.sum(), 1),
        content=content / np.maximum(all_words, 1),
        of_content=content / max(expected.sum(), 1e-9),
        linked=total(linked) / np.maximum(all_chars, 1),
        links=links,
        heading=total(chars * in_heading) / np.maximum(all_chars, 1),
        bold=total(chars * (page.font_weight >= 600)) / np.maximum(all_chars, 1),
        font=_largest_font(segments, chars) / _usual_font(page, chars),
        images=images,
        drawn=drawn,
        image_share=total(area * is_image) / box_area,
        video_share=total(area * is_video) / box_area,
        fields=total(_fields(page)),
        is_table=_is_data_table(segments),
        is_ad=has_ad_size & (drawn == 1) & (all_words < 3),
        parts={name: total(values) / np.maximum(all_words, 1) for name, values in parts.items()},
    )


class _Totals:
    """Adds up a column over everything inside each segment."""

    def __init__(self, segments: Segments) -> None:
        self.rows = segments.rows
        self.end = segments.page.end.take(segments.rows)
        self.first = segments.first

    def __call__(self, values: Floats | Bools) -> Floats:
        before = np.concatenate(([0.0], np.cumsum(values, dtype=np.float64)))
        inside_rows = np.concatenate(([0.0], np.cumsum(before[self.end] - before[self.rows])))
        return np.diff(inside_rows[self.first])


def _judged(page: Page, words: Floats) -> tuple[Floats, dict[str, Floats]]:
    """Return the expected words of content of each row, and its words in each of `_PARTS`."""
    expected = np.zeros(len(page))
    parts = {name: np.zeros(len(page)) for name in _PARTS}
    judgement = Default().judge(page)
    if judgement is None:
        return expected, parts
    text, block = page.text_rows, page.blocks.of_text
    expected[text] = np.append(judgement.probability, 0.0)[block] * words[text]
    nothing_kept = np.zeros(len(page.blocks), np.bool_)
    kinds = kinds_of_blocks(page, nothing_kept, row_parts(page), judgement.comments)
    kind = np.array([*kinds, ""], object)[block]
    for name, column in parts.items():
        column[text] = words[text] * (kind == name)
    return expected, parts


def _extent(page: RenderedPage) -> tuple[float, float, float]:
    """Return the left and right edge of what the window shows, and the lower edge of the page."""
    is_drawn = (_IMAGE | _VIDEO | _FRAME | _FIELD).take(page.tag) | (page.chars > 0)
    rows = (is_drawn & page.visible).nonzero()[0]
    window = float(page.w[:1].sum())
    if not len(rows):
        return 0.0, window, 0.0
    low, high = page.x[rows].min(), (page.x + page.w)[rows].max()
    return max(float(low), 0.0), min(float(high), window), float((page.y + page.h)[rows].max())


def _largest_font(segments: Segments, chars: Floats) -> Floats:
    sizes = np.where(chars > 0, segments.page.font_size, 0)
    end = segments.page.end
    return np.array(
        [
            max((float(sizes[row : end[row]].max()) for row in segments.rows_of(each)), default=0.0)
            for each in range(len(segments))
        ]
    ).reshape(-1)


def _usual_font(page: RenderedPage, chars: Floats) -> float:
    """Return the font size of the middle character of the page."""
    rows = (chars > 0).nonzero()[0]
    if not len(rows):
        return 16.0
    order = rows[page.font_size[rows].argsort(kind="stable")]
    held = chars[order].cumsum()
    return max(float(page.font_size[order[held.searchsorted(held[-1] / 2)]]), 1.0)


def _fields(page: RenderedPage) -> Bools:
    """Return one bool per row: True for a visible field that a reader fills in."""
    found = _FIELD.take(page.tag) & page.visible
    for row in found.nonzero()[0].tolist():
        found[row] = page.attributes(row).get("type", "").lower() not in _NO_FIELDS
    return found


def _is_data_table(segments: Segments) -> Bools:
    """Return one bool per segment: True if its only row is a data table, or the body of one."""
    page = segments.page
    is_data = data_tables(page)
    found = np.zeros(len(segments), np.bool_)
    one = np.diff(segments.first) == 1
    rows: AnyRows = segments.rows[segments.first[:-1][one]]
    found[one] = is_data[rows] | is_data[np.maximum(page.parent[rows], 0)] & (
        page.tag[rows] == NUMBER["tbody"]
    )
    return found
