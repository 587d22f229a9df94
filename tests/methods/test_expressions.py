"""Expressions: combinations as text, in method files and on the command line."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher import InputError, UsageError, combine, intersection, methods, series, union, vote
from thresher.cli import main
from thresher.methods.expressions import LONGEST, Call, parse_call

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "examples" / "demo.html"
NESTED = "series(lqf(quota=0.5), vote(cetd, wlr, addanag, at_least=2))"


def refusal(call, *args) -> str:
    with pytest.raises(thresher.ThresherError) as error:
        call(*args)
    return str(error.value)


# --- reading -------------------------------------------------------------------------------------


def test_the_tree_of_an_expression():
    assert parse_call(" K-FE ( A_b=-1.5e1,\n c='x y', d=(1, 'é', [True]), e=None, bte,) ") == Call(
        "k-fe",
        (Call("bte", (), {}),),
        {"A_b": -15.0, "c": "x y", "d": (1, "é", [True]), "e": None},
    )
    assert parse_call("a(b=.5)").options == {"b": 0.5}
    assert parse_call("a(b=5.)").options == {"b": 5.0}
    assert parse_call("a(b=+7)").options == {"b": 7}
    assert parse_call(r"""a(b='it\'s \\ \x41\u00e9\U0001f35e', c="'")""").options == {
        "b": "it's \\ Aé🍞",
        "c": "'",
    }


@pytest.mark.parametrize(
    ("expression", "method"),
    [
        ("union(bte)", union("bte")),
        ("Series( lqf ( quota = 0.5 ) ,\n\tcetd, )", series("lqf(quota=0.5)", "cetd")),
        ("vote(bte, cetd, dsc)", vote("bte", "cetd", "dsc", at_least=2)),
        ("vote(at_least=1, bte, cetd)", vote("bte", "cetd", at_least=1)),
        ("intersection(union(bte, cetd), dsc)", intersection(union("bte", "cetd"), "dsc")),
    ],
)
def test_read(expression, method):
    assert combine.read(expression) == method
    assert combine.read(combine.write(method)) == method


def test_the_expression_is_printed_as_it_was_written():
    assert str(combine.read(NESTED)) == NESTED


SINGLE = st.sampled_from([methods.get(name) for name in methods.names()]) | st.builds(
    lambda quota: methods.get("lqf", quota=quota), st.floats(0, 1)
)
COMBINED = st.recursive(
    SINGLE,
    lambda parts: st.tuples(
        st.sampled_from([series, union, intersection, vote]),
        st.lists(parts, min_size=1, max_size=3),
    ).map(lambda made: made[0](*made[1])),
    max_leaves=12,
)


@given(COMBINED)
def test_writing_and_reading_give_the_same_method(method):
    again = combine.read(combine.write(method))
    assert again == method
    assert combine.write(again) == combine.write(method)


@given(st.text(st.characters(exclude_categories=()), max_size=50))
def test_any_text_can_be_the_value_of_an_option(text):
    assert parse_call(f"a(b={text!r})").options == {"b": text}


# --- refusing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("", "the method is empty: give a name such as bte."),
        (" \n", "the method is empty: give a name such as bte."),
        ("union(", "cannot read the method 'union(' at character 6: close it with ')'."),
        ("union(bte", "cannot read the method 'union(bte' at character 6: close it with ')'."),
        ("union(bte]", "cannot read the method 'union(bte]' at character 10: write ')' in place"),
        (
            "union(bte cetd)",
            "cannot read the method 'union(bte cetd)' at character 11: write a comma before",
        ),
        ("union(bte))", "cannot read the method 'union(bte))' at character 11: remove ')', wh"),
        ("bte, cetd", "cannot read the method 'bte, cetd' at character 1: write one method, or"),
        ("bte & cetd", "cannot read the method 'bte & cetd' at character 5: combine methods as in"),
        (
            "union(,)",
            "cannot read the method 'union(,)' at character 7: remove a comma.",
        ),
        ("union(bte,,cetd)", "cannot read the method 'union(bte,,cetd)' at character 11: remove a"),
        ("bte(tag_cost=)", "cannot read the method 'bte(tag_cost=)' at character 14: give tag_cos"),
        ("bte(tag_cost=", "cannot read the method 'bte(tag_cost=' at character 14: give tag_cost "),
        ("bte(tag_cost==1)", "cannot read the method 'bte(tag_cost==1)' at character 14: write ="),
        ("bte(a=b=1)", "cannot read the method 'bte(a=b=1)' at character 8: give a one value."),
        ("bte(1=2)", "cannot read the method 'bte(1=2)' at character 6: write the name of an opt"),
        ("bte(True=2)", "cannot read the method 'bte(True=2)' at character 9: write the name of"),
        ("bte=2", "cannot read the method 'bte=2' at character 4: put options in parentheses, as"),
        ("union bte", "cannot read the method 'union bte' at character 7: put parts and options"),
        ("union(a=bte)", "cannot read the method 'union(a=bte)' at character 9: put words in quo"),
        ("union(a=bte())", "cannot read the method 'union(a=bte())' at character 9: write a meth"),
        ("lqf(quota=nan)", "cannot read the method 'lqf(quota=nan)' at character 11: give quota "),
        ("fe(once=true)", "cannot read the method 'fe(once=true)' at character 9: write once=True"),
        ("bte(a=0x10)", "cannot read the method 'bte(a=0x10)' at character 7: write numbers in d"),
        ("bte(a=1_000)", "cannot read the method 'bte(a=1_000)' at character 7: write numbers in"),
        ("x" * 51, f"cannot read the method '{'x' * 51}' at character 1: a name has at most 50"),
        (
            "bte(a=\u201cb\u201d)",
            "cannot read the method 'bte(a=\u201cb\u201d)' at character 7: write s",
        ),
        ("cetd(density=text)", "cannot read the method 'cetd(density=text)' at character 14: put "),
        ("cetd(density='text)", 'cannot read the method "cetd(density=\'text)" at character 14: c'),
        ("vote(bte, at_least=1, at_least=1)", "cannot read the method 'vote(bte, at_least=1, at_"),
        ("unoin(bte, cetd)", "no method 'unoin': did you mean union?"),
        ("union(bte, cet)", "no method 'cet': did you mean cet"),
        ("union()", "union has no methods: give it some, as in union(bte, cetd)."),
        ("union", "union has no methods: give it some, as in union(bte, cetd)."),
        ("union(bte, at_least=2)", "union has no option 'at_least': it has none."),
        ("vote(bte, least=2)", "vote has no option 'least': it has at_least."),
        ("vote(bte, at_least='2')", "at_least of vote is '2': give a whole number from 1 to 1."),
        ("cetd(bte)", "method cetd takes no other methods: combine them, as in series(cetd, bte)."),
        ("series(bte(tag_cost=0))", "tag_cost of bte is 0: give a number above"),
        ("union(series(bte, lqf(x=1)))", "method lqf has no option 'x': it has quota"),
        ("series(" * 16 + "bte" + ")" * 16, "cannot read the method 'series(series(series("),
        ("union(" + "bte," * 65 + ")", "union has 65 methods: use at most 64."),
        ("union(" + "bte," * 1_200 + ")", "union has 1,200 methods: use at most 64."),
        ("union(" + "(" * 4_000, "cannot read the method 'union(((((((("),
        ("series(" * 700, "cannot read the method 'series(series("),
        ("bte(tag_cost=" + "[" * 4_000, "cannot read the method 'bte(tag_cost=[[[[[["),
        ("x" * (LONGEST + 1), "cannot read the method 'xxxxxxxx"),
        ("bte(tag_cost=" + "9" * 4_900 + ")", "cannot read the method 'bte(tag_cost=999"),
        ("union(bte,\n\0cetd)", "cannot read the method 'union(bte,\\n\\x00cetd)' at character 12"),
        (
            "union(b\u0442e)",
            "cannot read the method 'union(b\u0442e)' at character 8: '\u0442' (U+0442) h",
        ),
        ("cetd(density='\ud800')", "cannot read the method \"cetd(density='\\ud800')\" at char"),
        ("cetd(density='\\d')", "cannot read the method"),
        ("cetd(density='\0')", "cannot read the method"),
        ("__import__('os').system('true')", "cannot read the method"),
        ("union(bte, *cetd)", "cannot read the method"),
        ("union(bte, **{})", "cannot read the method"),
        ("@news.toml", "cannot read the method '@news.toml' at character 1: '@' has no meaning"),
    ],
    ids=lambda text: ascii(text[:40]),
)
def test_bad_expressions_are_refused_in_a_sentence(expression, message):
    found = refusal(combine.read, expression)
    assert found.startswith(message)
    assert found.endswith((".", "?"))
    assert found.isprintable()
    assert len(found) < 500


TOKENS = st.sampled_from(
    [
        *("union", "series", "vote", "bte", "cetd", "k-fe", "at_least", "quota", "lqf", "True"),
        *"()()(),,==[]'\"\\ \n-+.1e0#@*:{}\0é",
    ]
)


@given(st.lists(TOKENS, max_size=30).map("".join) | st.text())
def test_any_text_is_read_or_refused(text):
    try:
        method = combine.read(text)
    except UsageError:
        method = union("plain")  # nothing else may be raised
    assert combine.read(combine.write(method)) == method


@pytest.mark.parametrize("given", [None, 3, b"bte", ["bte"]])
def test_values_other_than_text_are_refused(given):
    assert "is not an expression: give text such as 'bte'." in refusal(combine.read, given)


# --- method files --------------------------------------------------------------------------------


def test_a_method_file(tmp_path):
    file = tmp_path / "news.toml"
    file.write_text(f'# for news\nmethod = "{NESTED}"\n')
    assert combine.load(file) == combine.load(str(file)) == combine.read(NESTED)
    file.write_bytes(b'\xef\xbb\xbfmethod = """\r\nunion(\r\n  bte,\r\n  cetd,\r\n)\r\n"""\r\n')
    assert combine.load(file) == union("bte", "cetd")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", 'FILE sets nothing: let it set only method, as in method = "union(bte, cetd)".'),
        (b"union(bte)", 'FILE is not TOML: write one line, method = "union(bte, cetd)".'),
        (b'methods = "bte"', "FILE sets 'methods': let it set only method, as in"),
        (b"method = 3", "FILE sets method to no text: put it in quotes, as in method ="),
        (b'method = ["bte"]', "FILE sets method to no text: put it in quotes, as in"),
        (b'method = "bte"\nother = 1', "FILE sets 'method', 'other': let it set only method"),
        (b"\xff\xfe", "FILE is not TOML: write one line,"),
        (b"method = " + b"[" * 50_000, "FILE is not TOML: write one line,"),
        (b"#" * 100_001, "FILE has more than 100,000 bytes: give a method file."),
        (b'method = "bt"', "in FILE, no method 'bt': did you mean bte?"),
        (b'method = "union("', "in FILE, cannot read the method 'union(' at character 6: clos"),
    ],
)
def test_bad_method_files_are_refused(tmp_path, data, message):
    file = tmp_path / "x.toml"
    file.write_bytes(data)
    assert refusal(combine.load, file).startswith(message.replace("FILE", str(file)))


def test_method_files_that_cannot_be_read(tmp_path):
    missing = tmp_path / "none.toml"
    assert refusal(combine.load, missing) == (
        f"cannot read {missing}: no such file or directory; give a method file."
    )
    with pytest.raises(InputError, match="is a directory"):
        combine.load(tmp_path)
    with pytest.raises(InputError, match="null byte"):
        combine.load("a\0b")


# --- on the command line -------------------------------------------------------------------------


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


def test_the_same_expression_on_the_command_line(tmp_path):
    file = tmp_path / "news.toml"
    file.write_text(f"method = '{NESTED}'\n")
    wanted = f"{thresher.extract(DEMO, method=NESTED).text}\n"
    assert run("extract", DEMO, "--method", NESTED).stdout == wanted
    assert run("extract", DEMO, "--method", f"@{file}").stdout == wanted
    assert f"<code>{NESTED}</code>" in run("explain", DEMO, "--method", f"@{file}").stdout
    compared = run("compare", DEMO, "--method", "bte", "--method", "union(bte, cetd)").stdout
    assert "union(bte, cetd)" in compared


@pytest.mark.slow
def test_evaluate_takes_expressions_and_files(tmp_path):
    file = tmp_path / "news.toml"
    file.write_text('method = "union(bte, cetd)"')
    done = run("evaluate", ROOT / "examples", "-m", f"@{file}", "-m", NESTED, "--no-cache")
    assert done.exit_code == 0
    assert "\nunion(bte, cetd) " in done.stdout
    assert f"\n{NESTED} " in done.stdout


@pytest.mark.parametrize("command", ["extract", "explain", "compare"])
@pytest.mark.parametrize("given", ["union(bte", "unoin(bte)", "@", "@missing.toml", "vote()", "\0"])
def test_bad_methods_on_the_command_line(command, given):
    done = run(command, DEMO, "--method", given)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1


def test_combinations_are_listed_and_explained():
    listed = run("methods").stdout
    for name in combine.COMBINATIONS:
        assert f"\n{name} " in listed
        assert run("methods", name).stdout.startswith("Methods combined into one")
