"""The tag table: a number for every element name, and sets of names.

Names of HTML, MathML and SVG have the same number on every page, so a set of names is a table of
booleans over tag numbers (`BLOCK[page.tag]`). Other names (custom elements) are numbered per page
after them, in order of appearance. Number 0 is text.

The sets follow https://html.spec.whatwg.org/multipage/rendering.html and .../indices.html.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from thresher.page.array_types import Bools, UInt8s, UInt16s

Bits = TypeVar("Bits", np.uint8, np.uint16)

TEXT = "#text"

_HTML = """
a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big
blink blockquote body br button canvas caption center cite code col colgroup data datalist dd del
details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame
frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd
keygen label legend li link listing main map mark marquee menu menuitem meta meter nav nobr
noembed noframes noscript object ol optgroup option output p param picture plaintext portal pre
progress q rb rp rt rtc ruby s samp script search section select slot small source spacer span
strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time
title tr track tt u ul var video wbr xmp math annotation annotation-xml desc metadata defs
""".split()

# Elements of formulas and drawings: MathML 3 with most of its content markup, SVG 2, MathJax 4. All
# of them are inline.
_FOREIGN = """
maction maligngroup malignmark menclose merror mfenced mfrac mglyph mi mlabeledtr mlongdiv
mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mscarries mscarry msgroup
msline mspace msqrt msrow mstack mstyle msub msubsup msup mtable mtd mtext mtr munder munderover
none semantics
abs and apply approx arccos arccosh arccot arcsin arcsinh arctan arctanh arg bind bvar
cartesianproduct cbytes ceiling cerror ci cn codomain complexes compose condition conjugate cos cosh
cot coth cs csc csymbol curl degree determinant diff divergence divide domain domainofapplication
emptyset eq equivalent eulergamma exists exp exponentiale factorial factorof false floor forall gcd
geq grad gt ident imaginary imaginaryi implies in infinity int integers intersect interval inverse
lambda laplacian lcm leq limit ln log logbase lowlimit lt matrix matrixrow max mean median min minus
mode moment momentabout naturalnumbers neq not notanumber notin notprsubset notsubset or otherwise
outerproduct partialdiff pi piece piecewise plus power primes product prsubset quotient rationals
real reals rem root scalarproduct sdev sec sech selector sep setdiff sin sinh subset sum tan tanh
tendsto times transpose true union uplimit variance vector vectorproduct xor
animate animateMotion animateTransform circle clipPath ellipse filter g line linearGradient marker
mask mpath path pattern polygon polyline radialGradient rect set stop switch symbol text textPath
tspan use view
mjx-assistive-mml mjx-base mjx-box mjx-c mjx-container mjx-dbox mjx-den mjx-dstrut mjx-dtable
mjx-frac mjx-itable mjx-line mjx-math mjx-menclose mjx-merror mjx-mfrac mjx-mi mjx-mmultiscripts
mjx-mn mjx-mo mjx-mover mjx-mpadded mjx-mphantom mjx-mroot mjx-mrow mjx-ms mjx-mspace mjx-msqrt
mjx-mstyle mjx-msub mjx-msubsup mjx-msup mjx-mtable mjx-mtd mjx-mtext mjx-mtr mjx-munder
mjx-munderover mjx-nstrut mjx-num mjx-over mjx-root mjx-row mjx-script mjx-spacer mjx-sqrt
mjx-stretchy-h mjx-stretchy-v mjx-surd mjx-table mjx-texatom mjx-tstrut
mjx-under mjx-utext mjx-speech mjx-braille mjx-lazy mjx-break mjx-linestrut
""".split()

HTML_NAMES = frozenset(_HTML)
NAMES: tuple[str, ...] = (TEXT, *_HTML, *_FOREIGN)
NUMBER: dict[str, int] = {name: number for number, name in enumerate(NAMES)}
LAST_ID = 65_535  # the largest tag number, shared by all names of a page past it


def lookup(names: str, *, others: bool = False) -> Bools:
    """Return a table of booleans over tag numbers: True for `names` (separated by spaces).

    `others` is the value for names that are not in `NAMES`.
    """
    table = np.full(LAST_ID + 1, others)
    table[: len(NAMES)] = False
    table[numbers(names)] = True
    table.setflags(write=False)
    return table


def numbers(names: str) -> list[int]:
    """Return the tag numbers of names that are separated by spaces."""
    return [NUMBER[name] for name in names.split()]


def tags_present(tag: UInt16s) -> bytes:
    """Return one byte per tag number below `len(NAMES)`: 1 if it is among these, else 0."""
    return (np.bincount(tag, minlength=len(NAMES))[: len(NAMES)] > 0).tobytes()


def bits_of(*tables: Bools) -> UInt8s:
    """Return for each tag number a bit for each of the tables, the lowest for the first."""
    return _bits_of(tables, np.uint8)


def many_bits_of(*tables: Bools) -> UInt16s:
    """Return the bits of up to 16 tables, as `bits_of` does."""
    return _bits_of(tables, np.uint16)


def _bits_of(tables: tuple[Bools, ...], kind: type[Bits]) -> npt.NDArray[Bits]:
    found = np.zeros(LAST_ID + 1, kind)
    for place, table in enumerate(tables):
        found |= table.astype(kind) << kind(place)
    return found


_INLINE = """
a abbr acronym applet area audio b basefont bdi bdo big blink br button canvas cite code data del
dfn em embed font i iframe image img input ins kbd keygen label map mark math meter nobr noembed
noframes noscript object output param picture progress q rb rp rt rtc ruby s samp script select slot
small source span strike strong style sub sup svg template textarea time track tt u var video wbr
annotation annotation-xml desc metadata defs link meta option optgroup datalist title
"""

# Custom elements are more often containers (<my-card>) than inline, so others are blocks.
BLOCK = lookup(" ".join(set(_HTML) - set(_INLINE.split())), others=True)

VOID = lookup(
    "area base basefont bgsound br col embed frame hr image img input keygen link meta param "
    "source track wbr"
)
LEAF = lookup("img hr br picture video audio canvas iframe embed object svg math")
HEADING = lookup("h1 h2 h3 h4 h5 h6")
LIST_NAMES = "ul ol menu dir"
LIST = lookup(LIST_NAMES)
CELL = lookup("td th")
TABLE_PART = lookup("table thead tbody tfoot tr td th caption colgroup col")

BREAKS_LINE = BLOCK | lookup("br")  # a new line begins at them

# Their text is code, which is never read.
RAW = lookup("script style")

# Elements that `thresher.page.unclosed` closes, and those that may then hold the whole body.
MAY_BE_UNCLOSED = lookup(
    "title textarea iframe noembed noframes style script select datalist option video audio object "
    "canvas template noscript optgroup dialog xmp"
)
MAY_HOLD_BODY = lookup("textarea iframe")

# Their text is a title, a form field, a copy, code, or for old browsers: never part of an article.
NEVER_CONTENT = lookup(
    "head title textarea select option optgroup datalist script style video audio"
)

# Not shown by a browser (fallback content of embedded objects included).
HIDDEN = lookup(
    "head title script style template noscript noembed noframes iframe object video audio canvas "
    "datalist rp annotation annotation-xml desc metadata defs"
)

# Fig. 6 of the hybrid paper: these are rows of the tag sequence; table, tr, tbody are not.
BREAKS_FLOW = lookup(
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol "
    "p pre search section summary td th ul xmp caption legend plaintext"
)
TABLE_ROW = lookup("table tr")  # the text of the paper names TABLE as a tag that makes a row
