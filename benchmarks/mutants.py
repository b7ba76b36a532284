"""Would a test notice? A seeded sample of small faults, each planted alone, and the tests of its own room run on it.

python benchmarks/mutants.py                          # 300 faults over all rooms that compute, seed 1 (hours)
python benchmarks/mutants.py --sample 20 --rooms bayes,runs --seed 7
python benchmarks/mutants.py --at src/podium/runs/improvement.py   # only faults of this file

A fault changes one operator, comparison, number or function of a formula (mutmut and cosmic-ray change decorators and
texts too, and neither can weigh formulas nor copy a project whose kernels are compiled: hence this file). It is killed where
the room's tests fail, or take four times as long as without it. Survivors are printed as a diff of one line; each is to be
killed by a test, or shown to be equivalent.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = "stats bayes cases runs chance ordering planning studies comparison reading bench".split()
LEFT_BEHIND = shutil.ignore_patterns(
    ".git", ".venv*", "_build", ".mypy_cache", ".ruff_cache", ".hypothesis", "dist", "build"
)

OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "/"),
    ast.Pow: ("**", "*"), ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.And: ("and", "or"), ast.Or: ("or", "and"),
    ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"),
}  # fmt: skip
FUNCTIONS = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "any": "all", "all": "any",
             "floor": "ceil", "ceil": "floor", "argmin": "argmax", "argmax": "argmin"}  # fmt: skip
DROPPED = {"sqrt", "abs", "log", "exp", "log1p", "expm1"}  # f(x) becomes (x)


@dataclass(frozen=True)
class Fault:
    """A piece of a file and what stands there instead."""

    path: Path
    line: int
    start: int
    stop: int
    new: str

    def planted(self, text: str) -> str:
        """The file with the fault."""
        return text[: self.start] + self.new + text[self.stop :]

    def shown(self, text: str) -> str:
        """The line before and after."""
        old, new = text.splitlines()[self.line - 1], self.planted(text).splitlines()[self.line - 1]
        return f"{self.path}:{self.line}\n  - {old.strip()}\n  + {new.strip()}"


class Module:
    """A module as text and tree, which knows where each expression stands."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text, self.starts = path, text, [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.expr) -> tuple[int, int]:
        """First and last place of an expression."""
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno or 0, node.end_col_offset or 0)

    def _at(self, line: int, column: int) -> int:  # columns of `ast` count bytes
        start = self.starts[line - 1]
        return start + len(self.text[start : self.starts[line]].encode()[:column].decode())

    def fault(self, start: int, stop: int, new: str) -> Fault:
        """Other text between two places."""
        return Fault(self.path, self.text.count("\n", 0, start) + 1, start, stop, new)

    def faults(self) -> Iterator[Fault]:
        """Every fault that can be planted."""
        tree = ast.parse(self.text)
        kinds = (getattr(node, name, None) for node in ast.walk(tree) for name in ("annotation", "returns"))
        of_kinds = {part for kind in kinds if kind is not None for part in ast.walk(kind)}  # which nothing computes
        for node in ast.walk(tree):
            if node in of_kinds:
                continue
            if isinstance(node, ast.BinOp):
                yield from self._between(node.left, node.op, node.right)
            elif isinstance(node, ast.Compare):
                for left, operator, right in zip(
                    [node.left, *node.comparators], node.ops, node.comparators, strict=False
                ):
                    yield from self._between(left, operator, right)
            elif isinstance(node, ast.BoolOp):
                for left, right in pairwise(node.values):
                    yield from self._between(left, node.op, right)
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
                low = self.span(node)[0]
                yield self.fault(low, low + (3 if isinstance(node.op, ast.Not) else 1), "")
            elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
                value = node.value + 1 if isinstance(node.value, int) else node.value * 1.1 + 0.01
                yield self.fault(*self.span(node), repr(value))
            elif isinstance(node, ast.Call):
                yield from self._of_call(node)

    def _between(self, left: ast.expr, operator: ast.AST, right: ast.expr) -> Iterator[Fault]:
        if type(operator) in OPERATORS:
            old, new = OPERATORS[type(operator)]
            low, high = self.span(left)[1], self.span(right)[0]
            place = low + self.text[low:high].find(old)
            if place >= low and "#" not in self.text[low:high]:
                yield self.fault(place, place + len(old), new)

    def _of_call(self, node: ast.Call) -> Iterator[Fault]:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        low, high = self.span(node.func)
        if name in FUNCTIONS:
            yield self.fault(high - len(name), high, FUNCTIONS[name])
        elif name in DROPPED and len(node.args) == 1:
            yield self.fault(low, high, "")


def drawn(rooms: list[str], only: list[Path], count: int, seed: int) -> list[Fault]:
    """So many faults, each as likely as any other: long formulas have more of them than glue has."""
    paths = only or [path for room in rooms for path in sorted((ROOT / "src" / "podium" / room).rglob("*.py"))]
    every = [
        fault for path in paths for fault in Module(path.relative_to(ROOT), path.read_text(encoding="utf-8")).faults()
    ]
    return random.Random(seed).sample(every, min(count, len(every)))


def tested(project: Path, room: str, limit: float | None, fault: Fault) -> str:
    """What the tests of a room say, those that name what the fault is in first: "passed", "failed", or "too long".

    A kernel is kept compiled beside its file, and in the kernels of other files that call it: with a fault in one of them all
    are compiled anew.
    """
    module = (project / fault.path).read_text(encoding="utf-8")
    names = re.findall(r"^(?:def|class) (\w{4,})", module, re.MULTILINE)

    def others(file: Path) -> int:
        text = file.read_text(encoding="utf-8")
        return -sum(name in text for name in names)

    files = sorted((project / "tests" / room).rglob("test_*.py"), key=others)
    words = [sys.executable, *"-m pytest -q -x -n 2 --dist loadfile -m".split(), "not slow", *map(str, files)]
    own = {"PYTHONPATH": str(project / "src"), "PODIUM_EXAMPLES": "ci", "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        own |= {"NUMBA_CACHE_DIR": folder} if is_kernel(module) else {}
        try:
            found = subprocess.run(words, cwd=project, env={**os.environ, **own}, capture_output=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return "too long"
    return "passed" if found.returncode == 0 else "failed"


def is_kernel(module: str) -> bool:
    """Whether functions of a module are compiled."""
    return bool(re.search(r"^@(njit|inner|kernel)\b", module, re.MULTILINE))


def main() -> int:
    """Plant, test, count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default=",".join(ROOMS), help="separated by commas")
    parser.add_argument("--at", nargs="*", type=Path, default=[], help="only faults of these files")
    asked = parser.parse_args()
    faults = drawn(asked.rooms.split(","), [path.resolve() for path in asked.at], asked.sample, asked.seed)
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "podium"
        shutil.copytree(ROOT, project, ignore=LEFT_BEHIND, symlinks=True)
        limits, counts = {}, Counter[str]()
        for fault in faults:
            place, text = project / fault.path, (ROOT / fault.path).read_text(encoding="utf-8")
            kind = room, _ = fault.path.parts[2], is_kernel(text)
            if kind not in limits:
                began = time.monotonic()
                if tested(project, room, None, fault) != "passed":
                    raise SystemExit(f"The tests of {room} fail without any fault.")
                limits[kind] = 4 * (time.monotonic() - began) + 60
            place.write_text(fault.planted(text), encoding="utf-8")
            answer = tested(project, room, limits[kind], fault)
            place.write_text(text, encoding="utf-8")
            counts["survived" if answer == "passed" else "killed"] += 1
            print(f"{'SURVIVED' if answer == 'passed' else 'killed'} {fault.shown(text)}", flush=True)
    print(f"{counts['killed']} of {len(faults)} faults were killed by the tests of their own room (seed {asked.seed}).")
    return 0 if counts["killed"] >= 0.9 * len(faults) else 1


if __name__ == "__main__":
    raise SystemExit(main())
