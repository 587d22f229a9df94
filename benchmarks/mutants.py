"""Mutation testing: change one operator or number in `src/` at a time and see whether a test fails.

Run `make mutants`, or `python benchmarks/mutants.py --help`. It needs a system with `fork`.

1. The tests are collected once, and each is run once with a profiler that notes which functions of
   the package it calls.
2. Mutants are drawn with a seed, each equally likely, from the bodies of all functions.
3. For each mutant a fork of the process puts the changed code into the living function, and runs
   the tests that call the function, those that take least time first, until one fails.

A mutant is *killed* when a test fails, raises or runs out of time, and *survives* when all pass. A
mutant of a function that no test calls survives too; it is listed as not covered. Not every
survivor is a hole: some changes make no difference (`<` for `<=` where both cannot happen).
"""

from __future__ import annotations

import argparse
import ast
import copy
import gc
import json
import os
import random
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

LONGEST = 60.0  # seconds of tests for one mutant; what is left then is not run
PATIENCE = 20.0  # seconds added to ten times the usual time of a test before it counts as hanging

SWAPS: dict[type[ast.AST], Any] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.And: ast.Or,
    ast.Or: ast.And,
}  # fmt: skip

Function = tuple[str, str, int]  # file, qualified name, first line


class Mutant(NamedTuple):
    """One change in one function."""

    path: str
    line: int
    function: str
    number: int  # of the changed node among the nodes of the file
    change: str


# --- mutants -------------------------------------------------------------------------------------


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield every possible mutant of the functions of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    order = {id(node): number for number, node in enumerate(ast.walk(tree))}
    for name, function in outer_functions(tree):
        for statement in function.body:
            for node in code_nodes(statement):
                changed = mutated(copy.copy(node))
                if changed is not None:
                    yield Mutant(str(path), node.lineno, name, order[id(node)], changed)


def outer_functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield functions and methods with their qualified names, but no functions inside others."""
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    for prefix, scope in waiting:
        for node in ast.iter_child_nodes(scope):
            if isinstance(node, ast.FunctionDef):
                yield prefix + node.name, node
            elif isinstance(node, ast.ClassDef):
                waiting.append((f"{prefix}{node.name}.", node))


def code_nodes(statement: ast.stmt) -> Iterator[Any]:
    """Yield the nodes of a statement that may be changed: no annotations, texts or errors."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom):
            continue
        if isinstance(node, ast.Compare | ast.BinOp | ast.BoolOp | ast.UnaryOp | ast.Constant):
            yield node
        skipped = getattr(node, "annotation", None), getattr(node, "returns", None)
        waiting += [child for child in ast.iter_child_nodes(node) if child not in skipped]


def mutated(node: Any) -> str | None:
    """Change a node in place and return the change in words; None if it cannot be changed."""
    if isinstance(node, ast.Constant):
        if type(node.value) is bool:
            node.value = not node.value
            return f"{not node.value} -> {node.value}"
        if type(node.value) is int:
            node.value += 1
            return f"{node.value - 1} -> {node.value}"
        return None
    if isinstance(node, ast.UnaryOp):
        return "not x -> x" if isinstance(node.op, ast.Not) else None
    if isinstance(node, ast.Compare):
        old = node.ops[0]
        node.ops = [SWAPS[type(old)](), *node.ops[1:]]
        return f"{type(old).__name__} -> {SWAPS[type(old)].__name__}"
    old = node.op
    if type(old) not in SWAPS:
        return None
    node.op = SWAPS[type(old)]()
    return f"{type(old).__name__} -> {SWAPS[type(old)].__name__}"


def mutated_code(mutant: Mutant) -> CodeType:
    """Compile the file with the change, and return the code of the changed function."""
    tree = ast.parse(Path(mutant.path).read_text(encoding="utf-8"))
    target = list(ast.walk(tree))[mutant.number]
    if isinstance(target, ast.UnaryOp):
        tree = _Drop(target).visit(tree)
    else:
        mutated(target)
    waiting: list[Any] = [compile(ast.fix_missing_locations(tree), mutant.path, "exec")]
    for code in waiting:
        inner = [part for part in code.co_consts if isinstance(part, CodeType)]
        for part in inner:
            if part.co_qualname == mutant.function and part.co_firstlineno <= mutant.line:
                return part
        waiting += inner
    raise LookupError(mutant)


class _Drop(ast.NodeTransformer):
    """Replaces `not x` by `x`."""

    def __init__(self, target: ast.UnaryOp) -> None:
        self.target = target

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return node.operand if node is self.target else node


def put_in(mutant: Mutant) -> bool:
    """Give the living function the changed code; False if it does not live (yet)."""
    code = mutated_code(mutant)
    living = [
        thing
        for thing in gc.get_objects()
        if isinstance(thing, FunctionType)
        and thing.__code__.co_filename == mutant.path
        and thing.__code__.co_qualname == mutant.function
    ]
    for function in living:
        function.__code__ = code
    return bool(living)


# --- tests ---------------------------------------------------------------------------------------


class Plugin:
    """Runs the three steps in place of pytest's own loop."""

    def __init__(self, package: Path, count: int, seed: int, jobs: int) -> None:
        self.package, self.count, self.seed, self.jobs = package, count, seed, jobs
        self.results: list[tuple[Mutant, str]] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Profile all tests, then try the mutants."""
        begin = time.monotonic()
        parts = [session.items[job :: self.jobs] for job in range(self.jobs)]
        profiles = in_parallel([lambda part=part: self.profile(part) for part in parts])
        calls: dict[str, list[tuple[float, str]]] = defaultdict(list)
        for profile in profiles:
            for test, (seconds, functions) in profile.items():
                for function in functions:
                    calls[function].append((seconds, test))
        show(f"{len(session.items):,} tests profiled in {time.monotonic() - begin:.0f} s")
        found = [m for path in sorted(self.package.rglob("*.py")) for m in mutants_of(path)]
        drawn = sorted(random.Random(self.seed).sample(found, min(self.count, len(found))))
        show(f"{len(found):,} possible mutants, {len(drawn)} drawn with seed {self.seed}")
        by_id = {item.nodeid: item for item in session.items}
        tried = in_parallel(
            [lambda job=job: self.try_all(drawn[job :: self.jobs], calls, by_id)
             for job in range(self.jobs)]
        )  # fmt: skip
        outcome = {number: told for part in tried for number, told in part.items()}
        self.results = [(mutant, outcome[key(mutant)]) for mutant in drawn]
        return True

    def profile(self, items: list[pytest.Item]) -> dict[str, tuple[float, list[str]]]:
        """Run tests once; return for each that passes its seconds and the functions it calls."""
        found = {}
        home = str(self.package)
        for item, following in zip(items, [*items[1:], None], strict=True):
            called: set[CodeType] = set()

            def note(frame: FrameType, event: str, _: Any, called: set[CodeType] = called) -> None:
                if event == "call" and frame.f_code not in called:
                    called.add(frame.f_code)

            sys.setprofile(note)
            begin = time.process_time()
            try:
                reports = runtestprotocol(item, log=False, nextitem=following)
            finally:
                sys.setprofile(None)
            if not any(report.failed for report in reports):
                own = {
                    f"{code.co_filename}:{code.co_qualname.partition('.<locals>')[0]}"
                    for code in called
                    if code.co_filename.startswith(home)
                }
                found[item.nodeid] = (time.process_time() - begin, sorted(own))
        return found

    def try_all(
        self,
        mutants: list[Mutant],
        calls: dict[str, list[tuple[float, str]]],
        by_id: dict[str, pytest.Item],
    ) -> dict[str, str]:
        """Try mutants one after the other, each in a fork."""
        found = {}
        for mutant in mutants:
            tests = sorted(calls.get(f"{mutant.path}:{mutant.function}", ()))
            if not tests:
                found[key(mutant)] = "not covered"
                continue
            (told,) = in_parallel([lambda m=mutant, t=tests: attempt(m, t, by_id)])
            found[key(mutant)] = told
        return found


def attempt(mutant: Mutant, tests: list[tuple[float, str]], by_id: dict[str, pytest.Item]) -> str:
    """Run the tests of a mutant until one fails; return what happened."""
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    if not put_in(mutant):
        return "not covered"
    spent = 0.0
    for number, (seconds, test) in enumerate(tests):
        if spent > LONGEST:
            return f"survived {number} of {len(tests)} tests"
        spent += seconds
        signal.signal(signal.SIGALRM, hanging)
        signal.alarm(int(10 * seconds + PATIENCE))
        try:
            reports = runtestprotocol(by_id[test], log=False, nextitem=None)
        except BaseException as error:  # whatever happens, a test noticed
            return f"killed by {test} ({type(error).__name__})"
        finally:
            signal.alarm(0)
        if any(report.failed for report in reports):
            return f"killed by {test}"
    return f"survived {len(tests)} of {len(tests)} tests"


def hanging(*_: object) -> None:
    """End a test that takes far too long."""
    raise TimeoutError


def key(mutant: Mutant) -> str:
    """Return a name of the mutant that JSON can hold."""
    return f"{mutant.path}:{mutant.number}"


def in_parallel(works: list[Any]) -> list[Any]:
    """Run each function in a fork of this process; return what they return, by way of JSON."""
    running = []
    for work in works:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            code = 1
            try:
                with os.fdopen(write, "w") as pipe:
                    json.dump(work(), pipe)
                code = 0
            finally:
                os._exit(code)
        os.close(write)
        running.append((child, read))
    found = []
    for child, read in running:
        with os.fdopen(read) as pipe:
            text = pipe.read()
        os.waitpid(child, 0)
        found.append(json.loads(text) if text else "killed by a crash")
    return found


def show(line: str) -> None:
    """Print a line at once, past pytest's capture."""
    print(line, file=sys.__stderr__, flush=True)


def main() -> int:
    """Try mutants and print a table."""
    parser = argparse.ArgumentParser(
        description="Change src/ in small ways and count how many changes a test notices.",
        epilog="Example: python benchmarks/mutants.py --count 20 --seed 3",
    )
    parser.add_argument("--tree", type=Path, default=Path(), help="the checkout; here by default")
    parser.add_argument("--count", type=int, default=100, help="mutants to draw")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("tests", nargs="*", default=["tests"], help="folders or files of tests")
    given = parser.parse_args()
    os.chdir(given.tree)
    package = Path("src/thresher").resolve()
    plugin = Plugin(package, given.count, given.seed, given.jobs)
    options = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-m",
        "not slow or hypothesis",
        "--capture=no",
    ]
    pytest.main([*options, *given.tests], plugins=[plugin])
    for mutant, told in plugin.results:
        where = f"{Path(mutant.path).relative_to(package)}:{mutant.line}"
        print(f"{where:48} {mutant.function:36} {mutant.change:18} {told}")
    killed = sum(told.startswith("killed") for _, told in plugin.results)
    print(f"{killed} of {len(plugin.results)} mutants killed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
