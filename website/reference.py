"""The reference as Markdown: a page for each public module and for each command.

The page of a module has a directive of mkdocstrings for each module inside it, which writes the
names with their signatures and docstrings. The page of a command is made from click: its help,
its arguments, and every option with its help.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import click

from website.docstrings import markdown

MODULES = (
    "thresher",
    "thresher.document",
    "thresher.page",
    "thresher.methods",
    "thresher.metadata",
    "thresher.structure",
    "thresher.render",
    "thresher.site",
    "thresher.visual",
    "thresher.trends",
    "thresher.evaluate",
    "thresher.viewer",
    "thresher.batch",
    "thresher.fetch",
    "thresher.errors",
)
NAMES_WITHOUT_DOCSTRING = {"__version__": "The version of Thresher."}


@cache
def pages(program: click.Group) -> dict[str, str]:
    """Return the Markdown of each page of the reference, by its path in the site."""
    found = {"reference/index.md": overview(program)}
    found |= {f"reference/modules/{name}.md": module_page(name) for name in MODULES}
    found |= {
        f"reference/commands/{name}.md": command_page(name, command)
        for name, command in sorted(program.commands.items())
    }
    return found


# --- modules -------------------------------------------------------------------------------------


def modules_inside(name: str) -> list[str]:
    """Return the names of the public modules inside a package, at any depth, in order."""
    module = importlib.import_module(name)
    if name == "thresher" or not hasattr(module, "__path__"):
        return []
    inside = pkgutil.walk_packages(module.__path__, f"{name}.")
    return sorted(info.name for info in inside if "._" not in info.name)


def defined_names(module: ModuleType) -> list[str]:
    """Return the public names that the source of a module defines itself, in order."""
    source = Path(inspect.getsourcefile(module) or "").read_text(encoding="utf-8")
    names: dict[str, None] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names[node.name] = None
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {
                name.id: None
                for target in targets
                for name in ast.walk(target)
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
            }
    return [name for name in names if not name.startswith("_")]


def home(module: ModuleType, name: str) -> str:
    """Return the full name of what a module exports, in the module that defines it."""
    value = getattr(module, name)
    if isinstance(value, ModuleType):
        return value.__name__
    own = getattr(value, "__module__", None)
    if isinstance(own, str) and getattr(value, "__qualname__", "") == name:
        return f"{own}.{name}"
    inside = (importlib.import_module(inner) for inner in modules_inside(module.__name__))
    owners = [inner.__name__ for inner in inside if name in defined_names(inner)]
    return f"{owners[0] if owners else module.__name__}.{name}"


def summary(value: object) -> str:
    """Return the first sentence of a docstring, "" if there is none."""
    paragraph = (inspect.getdoc(value) or "").partition("\n\n")[0]
    return " ".join(re.split(r"(?<=\.)\s+(?=[A-Z`])", paragraph, maxsplit=1)[0].split())


def module_page(name: str) -> str:
    """Return the page of a public module: what it exports, then the modules inside it."""
    module = importlib.import_module(name)
    lines = [f"# {name} {{ #{name} }}", "", markdown(inspect.getdoc(module) or ""), ""]
    exported = list(getattr(module, "__all__", ()))
    inside = modules_inside(name)
    if exported and (inside or name == "thresher"):
        lines += ["| name | what it is |", "|---|---|"]
        lines += [f"| {_link(module, export)} | {_cell(module, export)} |" for export in exported]
        lines.append("")
    if name != "thresher":
        for own in defined_names(module):
            lines += [f"::: {name}.{own}", ""]
    for inner in inside:
        if defined_names(importlib.import_module(inner)):
            lines += [
                f"## {inner} {{ #{inner} data-toc-label='{inner.removeprefix(name + '.')}' }}"
            ]
            lines += ["", *_directive(inner)]
    return "\n".join(lines) + "\n"


def _directive(name: str, **options: str) -> list[str]:
    options |= {"show_root_heading": "false", "show_root_toc_entry": "false"}
    rows = [f"        {option}: {value}" for option, value in options.items()]
    return [f"::: {name}", "    options:", *rows, ""]


def _link(module: ModuleType, name: str) -> str:
    if name in NAMES_WITHOUT_DOCSTRING:
        return f"`{name}`"
    target = home(module, name)
    if isinstance(getattr(module, name), ModuleType):  # mkdocstrings knows no headings of ours
        page = max((page for page in MODULES if f"{target}.".startswith(f"{page}.")), key=len)
        return f"[`{name}`]({page}.md#{target})"
    return f"[`{name}`][{target}]"


def _cell(module: ModuleType, name: str) -> str:
    value = getattr(module, name)
    documented = inspect.ismodule(value) or inspect.isroutine(value) or inspect.isclass(value)
    return NAMES_WITHOUT_DOCSTRING.get(name) or (summary(value) if documented else "")


def overview(program: click.Group) -> str:
    """Return the page that lists all modules and commands."""
    lines = ["# Reference", "", "Generated from the code.", "", "## Modules", ""]
    lines += ["| module | what it is |", "|---|---|"]
    for name in MODULES:
        lines.append(
            f"| [`{name}`](modules/{name}.md) | {summary(importlib.import_module(name))} |"
        )
    lines += ["", "## Commands", "", "| command | what it does |", "|---|---|"]
    for name, command in sorted(program.commands.items()):
        lines.append(
            f"| [`thresher {name}`](commands/{name}.md) | {command.get_short_help_str(200)} |"
        )
    lines += ["", "[The command line](../command-line.md) explains them with examples.", ""]
    return "\n".join(lines)


# --- commands ------------------------------------------------------------------------------------


def all_commands(
    command: click.Command, context: click.Context | None = None
) -> Iterator[tuple[click.Context, click.Command]]:
    """Yield a command and all commands inside it, each with a context that knows its full name."""
    context = context or click.Context(command, info_name=command.name)
    yield context, command
    if isinstance(command, click.Group):
        for name, inner in sorted(command.commands.items()):
            yield from all_commands(inner, click.Context(inner, parent=context, info_name=name))


def options_of(command: click.Command, context: click.Context) -> list[click.Option]:
    """Return the options of a command that its help shows, --help included."""
    parameters = command.get_params(context)
    return [each for each in parameters if isinstance(each, click.Option) and not each.hidden]


def option_row(option: click.Option, context: click.Context) -> tuple[str, str]:
    """Return how an option is written, and its help with its choices, range and default."""
    names = ", ".join(f"`{name}`" for name in option.opts)
    if option.secondary_opts:
        names += " or " + ", ".join(f"`{name}`" for name in option.secondary_opts)
    choices = getattr(option.type, "choices", ())
    if not (option.is_flag or option.count or choices):
        names += f" `{option.make_metavar(context)}`"
    _, text = option.get_help_record(context) or ("", "")
    text, extra, more = text.rpartition("  [")
    parts = [_plain(text if extra else more)]
    if choices:
        parts.append(f"One of {', '.join(f'`{choice}`' for choice in choices)}.")
    if extra:
        parts.append(f"({_plain(more.removesuffix(']'))})")
    return names, " ".join(parts)


def command_page(name: str, command: click.Command) -> str:
    """Return the page of a command and the commands inside it."""
    root = click.Context(command, info_name=f"thresher {name}")
    root.help_option_names = ["-h", "--help"]
    lines = ["---", "search: {boost: 2}", "---", ""]
    for context, inner in all_commands(command, root):
        lines += [f"{'#' if inner is command else '##'} {context.command_path}", ""]
        usage = " ".join(inner.collect_usage_pieces(context))
        lines += ["```text", f"{context.command_path} {usage}", "```", ""]
        lines += [*_paragraphs(inspect.cleandoc(inner.help or "")), ""]
        examples = re.findall(r"^ +(thresher .*)$", inner.epilog or "", re.M)
        if examples:
            lines += ["```sh", *examples, "```", ""]
        if inner is command:
            lines += ["## Options", ""]
        # Each option has a heading, so that the search finds it by name.
        prefix = "-".join(context.command_path.split()[1:])
        for option in options_of(inner, context):
            written, text = option_row(option, context)
            anchor = f"{prefix}-{max(option.opts, key=len).lstrip('-')}"
            lines += [f"### {written} {{ #{anchor} }}", "", text, ""]
    lines += ["[The command line](../../command-line.md) explains the commands with examples.", ""]
    return "\n".join(lines)


def _paragraphs(text: str) -> list[str]:
    """Return the lines of a help text as Markdown; click marks what keeps its lines with \\b."""
    lines: list[str] = []
    for part in text.split("\n\n"):
        if part.startswith("\b"):
            lines += ["```text", *part.removeprefix("\b").strip("\n").splitlines(), "```", ""]
        else:
            lines += [_plain(" ".join(part.split())), ""]
    return lines


def _plain(text: str) -> str:
    """Return a text without the signs that Markdown would read as something else."""
    text = re.sub(r"([\\`*_>|\[\]#])", r"\\\1", " ".join(text.split()))
    return text.replace("<", "&lt;")
