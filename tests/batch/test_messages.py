"""Errors and warnings on standard error."""

import pytest

from thresher.batch.messages import Messages, printable


def test_control_characters_are_replaced() -> None:
    assert printable("a\x1b[31m\x9bb\tc\nd") == "a\ufffd[31m\ufffdb\tc\nd"


def test_errors_are_remembered_and_warnings_can_be_quiet(
    capsys: pytest.CaptureFixture[str],
) -> None:
    messages = Messages()
    messages.warn("cut\x07.")
    assert not messages.failed
    messages.error("gone.")
    assert messages.failed
    assert capsys.readouterr().err == "Warning: cut\ufffd.\nError: gone.\n"
    quiet = Messages(quiet=True)
    quiet.warn("cut.")
    quiet.error("gone.")
    assert capsys.readouterr().err == "Error: gone.\n"


def test_a_closed_standard_error_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    Messages().error("gone.")


UNSEEN = "\u202e\u202a\u2066\u2069\u200b\u2060\ufeff\u200f\u2028\xad\U000e0041"


def test_no_mark_changes_the_order_of_a_line_on_a_terminal():
    assert printable("a\u202eb\u202ac\u2067d\u2069") == "a\ufffdb\ufffdc\ufffdd\ufffd"
    assert printable("کتاب\u200cها") == "کتاب\u200cها"


def test_messages_show_every_character_of_a_name(capsys):
    Messages().error(f"cannot read x{UNSEEN}.html")
    Messages().warn(f"cut {UNSEEN}")
    shown = capsys.readouterr().err
    assert set(UNSEEN).isdisjoint(shown)
    assert shown.count("\ufffd") == 2 * len(UNSEEN)


@pytest.mark.parametrize(
    "name",
    [
        "//u:s3cret@a.b/",
        "u:s3cret@a.b",
        "https:u:s3cret@a.b",
        "http:/u:s3cret@a.b",
        "(u:s3@cret@a.b",
    ],
)
def test_messages_show_no_password(name, capsys):
    Messages().error(f"cannot read {name}: no such file; write to mailto:me@example.org.")
    shown = capsys.readouterr().err
    assert "s3" not in shown
    assert "a.b" in shown
    assert "mailto:me@example.org" in shown
