"""The registry: methods by name, and as text."""

import pytest

from thresher import UsageError, combine, methods
from thresher.methods import registry
from thresher.methods.bte import BTE
from thresher.methods.cetd import CETD
from thresher.methods.danag import AdDANAg
from thresher.methods.plain import Plain


def refusal(call, *args, **options) -> str:
    with pytest.raises(UsageError) as error:
        call(*args, **options)
    return str(error.value)


def test_names_are_in_order():
    names = methods.names()
    assert names == sorted(set(names))
    assert {"addanag", "bte", "cetd", "plain"} <= set(names)


def test_get():
    assert methods.get("plain") == Plain()
    assert methods.get("cetd", threshold="body") == CETD(threshold="body")
    assert methods.get("bte", tag_cost=2) == BTE(tag_cost=2.0)


def test_options_are_given_with_their_defaults():
    assert methods.options("plain") == {}
    assert methods.options("cetd") == {"density": "composite", "threshold": "path"}
    bound = {"headline": "", "headline_by": "given", "subtree": False}
    assert methods.options("addanag") == {
        "gap": 20,
        "filter": 3,
        "length": 160,
        "smooth": True,
        **bound,
    }


@pytest.mark.parametrize(
    ("expression", "method"),
    [
        ("bte", BTE()),
        ("bte()", BTE()),
        (" \n BTE ( ) ", BTE()),
        ("bte(tag_cost=2)", BTE(tag_cost=2.0)),
        ("bte(tag_cost=.5,)", BTE(tag_cost=0.5)),
        ('cetd(threshold="body")', CETD(threshold="body")),
        ("cetd(\n  density='text',\n  threshold='body',\n)", CETD("text", "body")),
        ("addanag(gap=8, filter=0)", AdDANAg(gap=8, filter=0)),
    ],
)
def test_read(expression, method):
    assert combine.read(expression) == method


@pytest.mark.parametrize(
    ("method", "expression"),
    [
        (BTE(), "bte"),
        (BTE(tag_cost=1), "bte"),
        (CETD(threshold="body"), "cetd(threshold='body')"),
        (AdDANAg(gap=8, filter=0, length=160), "addanag(gap=8, filter=0)"),
    ],
)
def test_write_leaves_defaults_out(method, expression):
    assert combine.write(method) == expression
    assert combine.read(expression) == method
    assert combine.read(repr(method)) == method


def test_a_method_of_ones_own_is_written_as_it_prints():
    assert combine.write(len) == "<built-in function len>"


@pytest.mark.parametrize("call", [methods.get, combine.read, methods.options])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wlrr", "no method 'wlrr': did you mean wlr?"),
        ("bt", "no method 'bt': did you mean bte?"),
    ],
)
def test_unknown_names(call, name, message):
    assert refusal(call, name) == message


def test_the_known_names_are_listed():
    names = ", ".join(methods.names())
    assert refusal(methods.get, "zzz") == f"no method 'zzz': there are {names}."
    assert refusal(combine.read, "zzz") == (
        f"no method 'zzz': there are {names}, {', '.join(combine.COMBINATIONS)}."
    )


def test_a_name_with_options_is_refused():
    assert refusal(methods.options, "BTE(tag_cost=2)") == (
        "'BTE(tag_cost=2)' has options: give the name alone, bte."
    )


def test_unknown_options():
    message = "method cetd has no option 'level': it has density, threshold."
    assert refusal(methods.get, "cetd", level=3) == message
    assert refusal(combine.read, "cetd(level=3)") == message
    assert refusal(methods.get, "lqf", name=3) == "method lqf has no option 'name': it has quota."
    assert refusal(methods.get, "plain", x=1) == "method plain has no option 'x': it has none."


@pytest.mark.parametrize(
    ("name", "option", "value", "wanted"),
    [
        ("bte", "tag_cost", "1", "a number above 0 and at most 1,000,000"),
        ("bte", "tag_cost", True, "a number above 0 and at most 1,000,000"),
        ("bte", "tag_cost", None, "a number above 0 and at most 1,000,000"),
        ("addanag", "gap", False, "a whole number from 0 to 1,000,000"),
        ("addanag", "gap", 2.5, "a whole number from 0 to 1,000,000"),
        ("addanag", "length", 80.0, "a whole number from 0 to 1,000,000"),
        ("addanag", "length", [80], "a whole number from 0 to 1,000,000"),
        ("cetd", "density", 1, "'composite' or 'text'"),
    ],
)
def test_values_of_the_wrong_type(name, option, value, wanted):
    message = f"{option} of {name} is {value!r}: give {wanted}."
    assert refusal(methods.get, name, **{option: value}) == message
    assert refusal(combine.read, f"{name}({option}={value!r})") == message


def test_values_out_of_range():
    assert refusal(combine.read, "bte(tag_cost=0)").startswith(
        "tag_cost of bte is 0: give a number"
    )
    assert refusal(combine.read, "bte(tag_cost=1e999)").startswith("tag_cost of bte is inf:")
    assert refusal(combine.read, "addanag(filter=9)").startswith("filter of addanag is 9: give 0,")


UNREADABLE = [
    "cetd(",
    "cetd)",
    "cetd()()",
    "cetd(density=b'text')",
    "bte(tag_cost=1j)",
    "cetd(threshold='body')(threshold='path')",
    "cetd(threshold='body').x(threshold='path')",
    "cetd('text')",
    "cetd(*['text'])",
    "cetd(**{'density': 'text'})",
    "cetd(density='text', density='text')",
    "cetd(density=)",
    "cetd(density='text'",
    "cetd(density=text)",
    "cetd(density=open('x'))",
    "cetd(density={[]: 1})",
    "cetd(density='text' if True else 1)",
    "cetd density='text'",
    "__import__('os')",
    "bte(__import__('os'))",
    "bte(tag_cost=__import__('os').getpid())",
    "bte | cetd",
    "bte\0",
    "bte(tag_cost='\ud800)",
    "bte(tag_cost=1 # )",
    "lambda page: page",
    "bte;cetd",
    "bte" + " " * 100_000 + "x",
    "b" * 100_000,
    "bte(" * 50_000,
    "bte(tag_cost=" + "(" * 400 + "1" + ")" * 400 + ")",
    "bte(tag_cost=" + "[" * 90 + "]" * 90 + ", tag_cost=1)",
    "bte(tag_cost=" + "-" * 900 + "1)",
    "bte(tag_cost=" + "-" * 90_000 + "1)",
    "bte(tag_cost=" + "9" * 900 + "9" * 90_000 + ")",
]


@pytest.mark.parametrize("expression", UNREADABLE, ids=lambda expression: ascii(expression[:40]))
def test_nonsense(expression):
    message = refusal(combine.read, expression)
    assert message.startswith("cannot read the method ")
    assert message.endswith(".")
    assert len(message) < 500


def test_a_huge_number_is_out_of_range_not_an_overflow():
    message = f"tag_cost of bte is {'9' * 40}...: give a number above 0 and at most 1,000,000."
    assert refusal(combine.read, f"bte(tag_cost={'9' * 900})") == message


def test_the_registry_is_in_alphabetical_order():
    assert list(registry.METHODS) == sorted(registry.METHODS)
