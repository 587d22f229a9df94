"""Passwords in addresses: sent to the server, and written nowhere."""

from pathlib import Path

import pytest

from tests.cli.commands import PAGE, files, run
from tests.fetch.test_download import Server, server
from thresher.batch.messages import Messages
from thresher.batch.sources import Input, ReadOptions, find_inputs, read_page

__all__ = ["server"]

COMMANDS = [
    ["extract", "--format", "text"],
    ["extract", "--format", "json"],
    ["extract", "--format", "csv"],
    ["extract", "--format", "tei"],
    ["extract", "--format", "html"],
    ["extract", "--format", "markdown"],
    ["passages"],
    ["threads", "--format", "jsonl"],
    ["blocks"],
    ["explain"],
    ["compare"],
    ["flow", "--format", "json"],
]


def secret_address(server: Server, path: str) -> str:
    return server.url(path).replace("//", "//user:secret@")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("path", ["/page", "/status/404", "/empty"])
def test_no_output_has_the_password(server: Server, command: list[str], path: str) -> None:
    done = run(*command, secret_address(server, path), "--private")
    assert server.seen[0]["authorization"].startswith("Basic ")
    assert "secret" not in done.output
    assert "127.0.0.1" in done.output or path != "/status/404"
    assert "Traceback" not in done.output


def test_several_inputs_to_files(server: Server, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    given = [secret_address(server, "/page"), "http://user:se/cret@host/", tmp_path / "a.html"]
    done = run("extract", *given, "--private", "--output", tmp_path / "out")
    assert done.exit_code == 2
    assert "http://host/" in done.output
    assert not {"secret", "se/cret"} & {*done.output.split("@")}
    assert files(tmp_path / "out") == ["127.0.0.1/page.txt", "a.txt"]
    done = run(
        "extract", *given, "--private", "--format", "json", "--output", tmp_path / "out.json"
    )
    written = (tmp_path / "out.json").read_text()
    assert f'"input": "{server.url("/page")}"' in written
    assert "secret" not in written + done.output


def test_the_address_of_a_saved_page() -> None:
    for form in ("json", "tei", "csv"):
        arguments = ("extract", "-", "--url", "http://user:secret@host/a", "--format", form)
        done = run(*arguments, given=PAGE.encode())
        assert "secret" not in done.output
        assert "http://host/a" in done.output


@pytest.mark.parametrize(
    "command",
    [
        ["site", "learn"],
        ["evaluate"],
        ["trends"],
        ["train", "crf"],
        ["plot"],
        ["label"],
        ["segment"],
    ],
    ids=" ".join,
)
def test_commands_that_take_no_address(command: list[str], tmp_path: Path) -> None:
    done = run(*command, "http://user:secret@127.0.0.1:1/a.jsonl")
    assert done.exit_code == 2
    assert "secret" not in done.output


def test_an_input_shows_no_password(server: Server) -> None:
    address = secret_address(server, "/page")
    (source,) = find_inputs((address,), Messages())
    assert source == Input.of_address(address)
    assert source.name == server.url("/page")
    assert "secret" not in repr(source)
    assert read_page(source, ReadOptions(private=True)).url == server.url("/page")
