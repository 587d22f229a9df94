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
