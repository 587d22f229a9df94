"""Which images stay in the output although no text of their block was selected.

A selection holds text, and an image follows the text of its block or its figure (`Selection.kept`).
An image in a block of its own, or in a figure whose caption was not selected, would be dropped,
even in the middle of an article. The rules here keep such images.

A *branch* is the highest element around a dropped image that holds no kept text. Its images stay if

- it holds no text except captions: text in a figure, or at most `CAPTION_WORDS` words in a branch
  where a class says "caption"; and half of the words or fewer are links, as teasers of other pages
  are, except in the captions of images that are no links;
- the visible words right before and right after it are kept. One of the two is enough, as above the
  first paragraph, for a branch with one figure and in it one image that is no link, and for one
  image with a caption that is no figure. The words after it are enough for one image without words
  that begins the element that they are in, if that is not the body;
- at most one of its images outside figures is a link: several in a row are buttons.

Hidden images and icons are dropped; on a page where most of the kept text is hidden until a script
shows it, no image is hidden. Videos, sounds and frames of other pages stay if the visible texts
right before and right after them are kept, and in a figure if one of the two is, or of those right
beside the figure; so do elements that a script makes a player of. A short dropped text after them
in a box whose class says "caption" is skipped.

The dropped captions of what stays can be written with it (`caption_boxes`).
"""

from __future__ import annotations

import re
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Int32s, Int64s, Rows, UInt16s
from thresher.page.arrays import innermost, inside, levels_inside, subtree_sums
from thresher.page.attributes import attribute_values
from thresher.page.tags import NAMES, NUMBER, lookup, numbers
from thresher.page.visibility import shown_texts

CAPTION_WORDS = 60  # at most, of a caption that is in no figure
_FIGURE = NUMBER["figure"]
ICON_PIXELS = 48  # an image with a stated width or height up to this is an icon
# Attributes with the URL of an image that a script loads.
LAZY = ("data-src", "data-original", "data-lazy-src", "data-original-src", "data-hi-res-src")


class Beside(NamedTuple):
    """Rows that may stay beside kept texts, and say more than that."""

    players: list[int]  # elements that stay, of which a script makes a player
    empty: list[int]  # links and spans between kept texts, in kept elements, that hold nothing
    boxes: list[int]  # check boxes in kept list items


def keep_beside(selection: Selection, kept: Bools) -> Beside:
    """Add the images and media that stay to `kept`, one bool per row; return other rows."""
    page = selection.page
    hidden, empty = hidden_rows(selection), empty_rows(selection)
    kept |= kept_images(selection, kept, hidden)
    media = kept_media(selection, hidden, empty)
    if media is not None:
        kept |= media.rows
    anchors = [
        row
        for row in empty[:MOST_ANCHORS]
        if kept[page.parent[row]] and page.tag[row] != NUMBER["div"]
    ]
    rows = np.array(page.stated.check_boxes, np.int32)
    items = (kept & (page.tag == NUMBER["li"])).nonzero()[0]
    boxes = rows[innermost(items, page.end, rows) >= 0]
    return Beside([] if media is None else media.players, anchors, boxes.tolist())


MOST_ANCHORS = 500  # empty elements that are looked at


def kept_images(selection: Selection, kept: Bools, hidden: Bools) -> Bools:
    """Return one bool per row: dropped images that stay, and the elements around them.

    `kept` are the rows that stay otherwise, and `hidden` is what `hidden_rows` returns.
    """
    page = selection.page
    is_image = (with_amp_images(page) == NUMBER["img"]) & ~kept
    shown = (is_image & ~hidden).nonzero()[0]
    if len(shown):
        shown = shown[[not is_icon(page.nodes[row]) for row in shown.tolist()]]
    if not len(shown) or not selection.keep.any():
        return np.zeros(len(page), np.bool_)
    is_kept_text = _as_bools(page, selection.rows)
    holds_kept = subtree_sums(is_kept_text, page.end) > 0
    is_branch = ~holds_kept & holds_kept.take(np.maximum(page.parent, 0))
    branches = np.unique(innermost(is_branch.nonzero()[0], page.end, shown))
    branches = _branches_that_stay(page, hidden, branches[branches >= 0], shown, is_kept_text)
    in_noscript = inside(page.tag == NUMBER["noscript"], page.end)  # copies of lazy images
    stays = _as_bools(page, shown) | (is_image & in_noscript) | (page.tag == NUMBER["source"])
    return subtree_sums(stays & inside(_as_bools(page, branches), page.end), page.end) > 0


def with_amp_images(page: Page) -> UInt16s:
    """Return the tag numbers of a page, with that of `img` for `amp-img`."""
    if len(page.names) == len(NAMES) or "amp-img" not in page.names[len(NAMES) :]:
        return page.tag
    number = np.uint16(page.names.index("amp-img"))
    return np.where(page.tag == number, np.uint16(NUMBER["img"]), page.tag)


def hidden_rows(selection: Selection) -> Bools:
    """Return which rows are hidden; none if most of the kept text is."""
    hidden = selection.page.hidden
    kept = hidden.take(selection.rows)
    return np.zeros_like(hidden) if 2 * np.count_nonzero(kept) > len(kept) else hidden


MEDIA_NUMBERS = numbers("audio embed iframe object video")
IS_MEDIA = lookup("audio embed iframe object video")
PLAYER = re.compile(r"youtube|vimeo|dailymotion|^amp-(?:video|audio|iframe|twitter|instagram)$")


class Media(NamedTuple):
    """The media between kept texts."""

    rows: Bools  # one bool per row: the media, and the elements around them
    players: list[int]  # the rows of other elements that a script makes a player of


def kept_media(selection: Selection, hidden: Bools, empty: list[int]) -> Media | None:
    """Return the media between kept texts; None if there are none.

    `hidden` is what `hidden_rows` returns, `empty` what `empty_rows` does.
    """
    page = selection.page
    players = _player_rows(page, empty)
    if not players and not any(map(page.present.__getitem__, MEDIA_NUMBERS)):
        return None
    rows = IS_MEDIA.take(page.tag).nonzero()[0]
    if players:
        rows = np.sort(np.concatenate((rows, players)))
    rows = rows[~hidden.take(np.maximum(page.parent.take(rows), 0))]
    if not len(rows):
        return None
    texts = ((page.words > 0) & ~hidden).nonzero()[0]
    padded = np.concatenate(([False], _as_bools(page, selection.rows).take(texts), [False]))
    before = padded.take(texts.searchsorted(rows))
    after = padded.take(texts.searchsorted(page.end.take(rows)) + 1)
    stays = before & after
    if page.present[_FIGURE]:
        figures = (page.tag == _FIGURE).nonzero()[0]
        figures = figures[levels_inside(figures, page.end, figures) == 1]
        figure = innermost(figures, page.end, rows)
        around = np.maximum(figure, 0)
        before_figure = padded.take(texts.searchsorted(around))
        after_figure = padded.take(texts.searchsorted(page.end.take(around)) + 1)
        stays |= (figure >= 0) & (before | after | before_figure | after_figure)
    for index in (before & ~stays).nonzero()[0].tolist():
        end = _end_of_caption(selection, hidden, int(rows[index]))
        stays[index] = end >= 0 and padded[texts.searchsorted(end) + 1]
    if not stays.any():
        return None
    chosen = _as_bools(page, rows[stays])
    within = inside(chosen, page.end) & (page.tag != 0)  # text that is not kept stays out
    return Media(subtree_sums(within, page.end) > 0, [row for row in players if chosen[row]])


def _end_of_caption(selection: Selection, hidden: Bools, row: int) -> int:
    """Return the end of the branch around a medium if its rest is a caption, else -1."""
    page, top = selection.page, row
    while (above := int(page.parent[top])) >= 0:
        if selection.keep[slice(*page.text_span(above))].any():
            break
        top = above
    begin, end = int(page.end[row]), int(page.end[top])
    if end - begin > MOST_ROWS:
        return -1
    words = int(page.words[begin:end][~hidden[begin:end]].sum())
    is_caption = 0 < words <= CAPTION_WORDS and _has_caption_class(page, begin, end)
    return end if is_caption else -1


MOST_ROWS = 200  # of a caption beside a medium, and of what else is in its branch


def _player_rows(page: Page, empty: list[int]) -> list[int]:
    """Return the elements that a script makes a player of, by their names or their attributes."""
    rows: list[int] = []
    for number in player_tags(page):
        rows += (page.tag == number).nonzero()[0].tolist()
    boxes = [row for row in empty if page.tag[row] == NUMBER["div"]]
    return rows + [row for row in boxes[:MOST_BOXES] if _becomes_player(page.nodes[row])]


def player_tags(page: Page) -> list[int]:
    """Return the numbers of the tags of players, such as `lite-youtube`."""
    others = range(len(NAMES), len(page.names))
    return [number for number in others if PLAYER.search(page.names[number])]


MOST_BOXES = 40  # empty elements that are looked at; half of the pages have none
_MAY_BE_EMPTY = lookup("a div span")


def empty_rows(selection: Selection) -> list[int]:
    """Return the links, boxes and spans between kept texts that hold nothing."""
    page, kept = selection.page, selection.rows
    if not len(kept):
        return []
    first, last = int(kept[0]), int(kept[-1])
    is_empty = page.end[first:last] == np.arange(first + 1, last + 1)
    rows = (_MAY_BE_EMPTY.take(page.tag[first:last]) & is_empty).nonzero()[0] + first
    found: list[int] = rows.tolist()
    return found


def _becomes_player(box: Any) -> bool:
    """Return whether a script makes a player of an empty element, given as a node."""
    if box.attr("data-youtube-id") or box.attr("data-vimeo-id"):
        return True
    return PLAYER.search((box.attr("data-src") or "")[:MOST_READ]) is not None


MOST_READ = 200  # characters of an address


_FIGCAPTION, _LINE_BREAK = NUMBER["figcaption"], NUMBER["br"]
IS_PICTURE = IS_MEDIA | lookup("img")
FIGCAPTION_WORDS = 120  # at most, of a caption in a figure
MOST_CAPTIONS = 300  # pictures beside dropped text that are looked at


class Captions(NamedTuple):
    """Dropped captions of images and media that stay."""

    texts: Bools  # one bool per text row
    rows: Bools  # one bool per row: these, and the elements that go with them


def caption_boxes(selection: Selection, kept: Bools) -> list[int]:
    """Return the rows of the dropped captions of the images and media that stay, sorted.

    `kept` are the rows that stay. A caption is the visible text right after a picture, or in its
    figure right before it, in a `figcaption`, or in a box whose class says "caption" and that is
    in an element around the picture without kept text. Links to other pages are none.
    """
    page, keep = selection.page, selection.keep
    pictures = (IS_PICTURE.take(page.tag) & kept).nonzero()[0]
    if not len(pictures):
        return []
    worded = ((page.words.take(page.text_rows) > 0) & ~page.hidden.take(page.text_rows)).nonzero()[
        0
    ]
    rows = page.text_rows.take(worded)
    after = rows.searchsorted(page.end.take(pictures))
    pairs = list(zip(pictures.tolist(), after.tolist(), strict=True))
    if page.present[_FIGCAPTION]:
        before = rows.searchsorted(pictures) - 1
        pairs += zip(pictures.tolist(), before.tolist(), strict=True)
    is_dropped = ~keep.take(worded)
    pairs = [(one, at) for one, at in pairs if 0 <= at < len(rows) and is_dropped[at]]
    boxes = {_caption_box(selection, one, int(rows[at])) for one, at in pairs[:MOST_CAPTIONS]}
    return sorted(boxes - {-1})


def dropped_captions(selection: Selection, boxes: list[int]) -> Captions:
    """Return the dropped captions in the rows that `caption_boxes` returns."""
    page = selection.page
    in_box = inside(_as_bools(page, np.array(boxes)), page.end)
    of_text = page.blocks.of_text
    chosen = np.zeros(len(page.blocks), np.bool_)
    texts = in_box.take(page.text_rows)
    chosen[of_text[texts & (of_text >= 0)]] = True
    texts &= shown_texts(page, chosen) & ~page.hidden.take(page.text_rows)
    marked = _as_bools(page, page.text_rows[texts])
    return Captions(
        texts, (subtree_sums(marked, page.end) > 0) | (in_box & (page.tag == _LINE_BREAK))
    )


def _caption_box(selection: Selection, picture: int, text: int) -> int:
    """Return the row of the caption of a picture that a text beside it is in, -1 for none."""
    page, box = selection.page, -1
    row = int(page.parent[text])
    while row >= 0 and not row < picture < page.end[row]:
        tag = page.tag[row]
        if tag == _FIGCAPTION:
            return row if 0 < _words_in(page, row) <= FIGCAPTION_WORDS else -1
        if tag == _FIGURE:
            return -1
        if "caption" in (page.nodes[row].attr("class") or "").lower():
            box = row
        row = int(page.parent[row])
    if box < 0 or selection.keep[slice(*page.text_span(row))].any():
        return -1
    return box if 0 < _words_in(page, box) <= CAPTION_WORDS else -1


def _words_in(page: Page, row: int) -> int:
    """Return the words in an element, 0 if most of them are a link that is no name."""
    part = slice(row, int(page.end[row]))
    words, linked = int(page.words[part].sum()), int(page.words[part][page.linked[part]].sum())
    return 0 if 2 * linked > words and linked >= LINK_WORDS else words


LINK_WORDS = 4  # of a link to another page; shorter ones name who made a picture


def _as_bools(page: Page, rows: Rows | Int32s) -> Bools:
    """Return one bool per row of the page: True for the given rows."""
    marked = np.zeros(len(page), np.bool_)
    marked[rows] = True
    return marked


def is_icon(image: Any) -> bool:
    """Return whether an image, given as a node of the parser, states the size of an icon."""
    attr = image.attr
    sizes: list[int] = []
    for name in ("width", "height"):
        stated = attr(name)
        if stated is not None and stated.isdecimal():
            sizes.append(int(stated[:5]))
    if not sizes or min(sizes) > ICON_PIXELS:
        return False
    # A script gives the image its size if it states none in one direction, or is yet to load it.
    is_lazy = max(sizes) <= 1 and any([attr(name) for name in LAZY])  # noqa: C419
    return not is_lazy and (min(sizes) > 0 or max(sizes) <= ICON_PIXELS)


def _branches_that_stay(
    page: Page, hidden: Bools, branches: Rows, shown: Rows, is_kept: Bools
) -> Rows:
    """Return the branches whose images stay; `shown` are the rows of dropped images."""
    end = page.end
    in_figure = inside(page.tag == NUMBER["figure"], end)
    words = np.where(hidden, 0, page.words)
    captions = _sums(np.where(in_figure, 0, words), branches, end)  # in no figure
    total = _sums(words, branches, end)
    linked_words = np.where(page.linked, words, 0)
    in_links = _sums(linked_words, branches, end)
    linked = shown[page.linked.take(shown)]
    has_prose = (total > 0) & (2 * in_links <= total)
    fits = _sums(np.where(in_figure, 0, linked_words), branches, end) == 0
    fits &= (in_links == 0) | (_counts(linked, branches, end) == 0)
    fits = (fits | has_prose) & (captions <= CAPTION_WORDS)
    for index in (fits & (captions > 0)).nonzero()[0].tolist():
        branch = int(branches[index])
        fits[index] = _has_caption_class(page, branch, int(end[branch]))
    branches, captions, total, has_prose = (
        values[fits] for values in (branches, captions, total, has_prose)
    )
    figures = (page.tag == NUMBER["figure"]).nonzero()[0]
    is_one_figure = _counts(linked, branches, end) == 0
    for rows in (figures, shown[in_figure.take(shown)]):
        is_one_figure &= _counts(rows, branches, end) == 1
    is_one = _counts(shown, branches, end) == 1
    in_branch = inside(_as_bools(page, branches), end)
    is_text = (page.words > 0) | (is_kept & (page.chars > 0))
    texts = ((page.tag == 0) & is_text & ~hidden & ~in_branch).nonzero()[0]
    padded = np.concatenate(([False], is_kept.take(texts), [False]))  # no text is kept beyond
    last, following = texts.searchsorted(branches), texts.searchsorted(end.take(branches))
    before, after = padded.take(last), padded.take(following + 1)
    places = np.concatenate(([-1], texts, [len(page)]))
    parent = page.parent.take(branches)
    begins = is_one & (total == 0) & (places.take(last) < parent) & after
    begins &= (page.tag.take(parent) != NUMBER["body"]) & (
        places.take(following + 1) < end.take(parent)
    )
    needs_one = (is_one & (is_one_figure | ((captions > 0) & has_prose))) | begins
    buttons = _counts(linked[~in_figure.take(linked)], branches, end)
    stays = np.where(needs_one, before | after, before & after) & (buttons <= 1)
    found: Rows = branches[stays]
    return found


def _sums(values: Int32s, branches: Rows, end: Int32s) -> Int64s:
    """Return the sum of the values of all rows in each branch."""
    before = np.append(0, values.cumsum())
    sums: Int64s = before.take(end.take(branches)) - before.take(branches)
    return sums


def _counts(rows: Rows, branches: Rows, end: Int32s) -> Rows:
    """Return how many of the rows, which are sorted, each branch holds."""
    return rows.searchsorted(end.take(branches)) - rows.searchsorted(branches)


def _has_caption_class(page: Page, begin: int, end: int) -> bool:
    """Return whether a class in a range of rows says that it is a caption."""
    elements = list(compress(page.nodes[begin:end], (page.tag[begin:end] != 0).tobytes()))
    classes = attribute_values(elements, "class")
    return any("caption" in names.lower() for names in classes if names is not None)
