"""Changed copies of a page to train on: shorter, thinner, or with a list of other texts beside it.

A corpus has few short reports among long lists of others, though the web has many: trees that never
saw one take the lists for content. So pages are trained on once more with a change after which the
labels are still known:
- `shortened`: only the beginning of the content is left;
- `thinned`: some containers are left out, content or not;
- `with_list_beside`: the content of another page, a list or a forum, is put before or after that of
  an article, and is not content;
- `emptied`: the content is left out, and a notice may be in its place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.methods.default.features.containers import Outline
from thresher.page import Page
from thresher.page.array_types import Bools, Int64s
from thresher.page.arrays import inside, subtree_sums
from thresher.page.parse import parse

_SHORTEST, _LONGEST = 40, 250  # words left of a shortened text; their logarithm is uniform
_SMALLEST, _LARGEST = 0.005, 0.25  # share of the page's words of a container that is left out
_THINNED = 0.1, 0.4  # share of the page's words that are left out
_LEAST = 20  # words of content that must be left
_LIST_HTML = 300_000  # most characters of HTML of a list that is put beside an article
_LIST_WORDS = 60, 2500  # least and most words of such a list
_ARTICLE_SHARE, _LIST_SHARE = 0.95, 0.8  # of the content in the element taken for the whole of it
_OUTWARDS = 4  # the list is put beside the article's element or one of so many around it
_AFTER = 0.7  # probability that the list comes after the article
_NOTICED = 0.5
_NOTICES = (
    "<h1>404</h1><p>Sorry, the page that you are looking for could not be found. It may have been "
    "moved or deleted.</p><p><a href='/'>Back to the home page</a></p>",
    "<h2>Page not found</h2><p>We could not find this page. Check the address or try the search."
    "</p><form><input type=search><button>Search</button></form>",
    "<p>Please enable JavaScript and cookies to continue.</p>",
    "<h2>Log in</h2><form><label>Email</label><input><label>Password</label><input type=password>"
    "<button>Log in</button><a href='/reset'>Forgot your password?</a></form><p>New here? "
    "<a href='/join'>Create an account</a></p>",
    "<div><h2>We value your privacy</h2><p>We and our partners store and access information on a "
    "device, such as cookies, and process personal data, such as identifiers, for personalised "
    "advertising and content, measurement and audience research. You can accept or reject below, "
    "and change your choice at any time in the settings.</p><button>Accept all</button>"
    "<button>Reject all</button><button>Settings</button></div>",
    "<p>Your search did not match any items.</p><p>0 results</p>",
    "<h1>Access denied</h1><p>You do not have permission to view this page. If you think that this "
    "is an error, contact the administrator. Reference number 18.2f3a</p>",
    "<h1>Checking that you are human</h1><p>This may take a few seconds. The site has to check the "
    "security of your connection before it continues.</p>",
    "<p>Loading...</p>",
    "<h1>This page is not available</h1><p>The item was removed, or it is not sold in your country."
    "</p>",
    "<h1>We will be back soon</h1><p>The site is down for maintenance. Please try again later.</p>",
)

Generator = np.random.Generator


class Copy(NamedTuple):
    """A changed page, with one bool per text row: True if it is content."""

    page: Page
    content: Bools
    left: float  # share of the words of content that are left


def shortened(page: Page, content: Bools, rng: Generator) -> Copy | None:
    """Leave out the content after its first words; None if there are not many more.

    Elements that are left without text are left out too.
    """
    words = _words(page, content)
    length = float(np.exp(rng.uniform(np.log(_SHORTEST), np.log(_LONGEST))))
    if words.sum() < 2 * length:
        return None
    of_block = page.blocks.of_text
    before = np.append(words.cumsum() - words, 0)[page.blocks.texts_from]
    late = content & (np.append(before, 0)[of_block] >= length)
    return _without_texts(page, late, content)


def emptied(page: Page, content: Bools, rng: Generator) -> Copy:
    """Leave out all content, and the elements that are left without text.

    A share of the copies, `_NOTICED`, has a notice in its place: an error, a barrier, a wait. The
    nodes of the page itself are changed.
    """
    if rng.random() < _NOTICED:
        noticed = with_list_beside(page, content, str(rng.choice(_NOTICES)), rng)
        page, content = (noticed.page, noticed.content) if noticed else (page, content)
    return _without_texts(page, content, content)


def _without_texts(page: Page, lost_texts: Bools, content: Bools) -> Copy:
    """Leave out some texts, and the elements that are left without text."""
    has_text = page.chars[page.text_rows] > 0
    held, lost = _under(page, has_text), _under(page, has_text & lost_texts)
    gone = inside((held > 0) & (held == lost), page.end)
    gone[: page.body + 1] = False
    return _without(page, gone, content)


def thinned(page: Page, outline: Outline, content: Bools, rng: Generator) -> Copy | None:
    """Leave out some containers at random; None if little content would be left."""
    share = outline.sums.words / max(float(outline.sums.words[0]), 1.0)
    drawn = rng.permutation(((share >= _SMALLEST) & (share <= _LARGEST)).nonzero()[0])
    wanted = rng.uniform(*_THINNED)
    gone = np.zeros(len(page), np.bool_)
    lost = 0.0
    for container in drawn.tolist():
        if lost > wanted:
            break
        row = outline.row[container]
        if not gone[row]:
            gone[row : outline.end[container]] = True
            lost += share[container]
    copy = _without(page, gone, content)
    return copy if _words(copy.page, copy.content).sum() >= _LEAST else None


def with_list_beside(page: Page, content: Bools, other: str, rng: Generator) -> Copy | None:
    """Put the HTML of another page's content beside the content; None if other text changes.

    The nodes of the page itself are changed.
    """
    row = _around(page, content, _ARTICLE_SHARE)
    if row < 0:
        return None
    ancestors = [row]
    while page.parent[ancestors[-1]] > page.body:
        ancestors.append(int(page.parent[ancestors[-1]]))
    at = ancestors[int(rng.integers(min(len(ancestors), _OUTWARDS)))]
    where = "afterend" if rng.random() < _AFTER else "beforebegin"
    page.nodes[at].insert_adjacent_html(where, f"<div {_MARK}>{other}</div>")
    changed = parse(page.nodes[0].html)
    marked = [row for row in changed.tag.nonzero()[0].tolist() if _MARK in changed.nodes[row].attrs]
    if len(marked) != 1:
        return None
    own = (changed.text_rows < marked[0]) | (changed.text_rows >= changed.end[marked[0]])
    if np.count_nonzero(own) != len(content):
        return None
    found = np.zeros(len(own), np.bool_)
    found[own] = content
    return Copy(changed, found, 1.0)


_MARK = "data-beside"


def content_html(page: Page, content: Bools) -> str:
    """Return the HTML of the element around most of the content; "" if its size does not fit."""
    row = _around(page, content, _LIST_SHARE)
    least, most = _LIST_WORDS
    if row < 0 or not least <= _words(page, content).sum() <= most:
        return ""
    html = str(page.nodes[row].html)
    return html if len(html) <= _LIST_HTML else ""


def _around(page: Page, content: Bools, share: float) -> int:
    """Return the row of the innermost element with this share of the content, -1 for the body."""
    words = _words(page, content)
    fits = (_under(page, words) >= share * words.sum()) & (page.tag != 0)
    fits[: page.body + 1] = False
    rows = fits.nonzero()[0]
    return int(rows[-1]) if len(rows) and words.any() else -1


def _words(page: Page, content: Bools) -> Int64s:
    """Return the words of content in each text row."""
    return page.words[page.text_rows].astype(np.int64) * content


def _under(page: Page, of_text: npt.NDArray[np.generic]) -> Int64s:
    """Sum a number of each text row over the subtree of each row."""
    of_row = np.zeros(len(page), np.int64)
    of_row[page.text_rows] = of_text
    return subtree_sums(of_row, page.end)


def _without(page: Page, gone: Bools, content: Bools) -> Copy:
    """Return a copy without some rows."""
    kept = ~gone[page.text_rows]
    words = _words(page, content)
    left = float(words[kept].sum() / max(words.sum(), 1))
    return Copy(page.without(gone), content[kept], left)
