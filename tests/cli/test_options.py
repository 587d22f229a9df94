"""Options that several commands share."""

import pytest

from tests.cli.commands import run


@pytest.mark.parametrize(
    ("methods", "told"),
    [
        (["bte", "cetd"], "--method is given twice: give one, or combine them, as in --method "),
        (["@"], "--method @ lacks the name of a method file: write @FILE.toml."),
    ],
)
def test_a_wrong_method_is_an_error(methods: list[str], told: str) -> None:
    given = [word for method in methods for word in ("--method", method)]
    for command in ("extract", "explain"):
        done = run(command, "-", *given, given=b"<p>Warm the pot.")
        assert done.exit_code == 2
        assert done.stderr.startswith(f"Error: {told}")
