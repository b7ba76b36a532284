"""How large the house is: `make counts`. Every step of a redesign names these numbers.

python benchmarks/counts.py            # the table
python benchmarks/counts.py switches   # and where each switch on the unit stands
python benchmarks/counts.py shared     # and which places share six lines

- code lines: those of the package that are neither blank, nor a comment, nor within a docstring
- switches on the unit: `isinstance` on a class of evidence, facts or ranking that only some units have; `is None` on what
  only some of them have; `unit` or `over` compared with a word (`over == "folds"` is a property of tests); flags that stand
  for a unit; a registry indexed by `.unit`. What a unit says about itself (`comparison/units`) is no switch
- the trace of `compare benavoli2016 --html`: distinct functions, files, and pairs of files of which one calls the other
- shared lines: pairs of places where six code lines in a row have the same shape, whatever their names, texts and numbers;
  and how many of these pairs hold more than fields and arguments, which are alike by themselves
- names: how often the variables that say nothing stand in the code
"""

from __future__ import annotations

import ast
import contextlib
import io
import keyword
import re
import sys
import tempfile
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "podium"
CLASSES = {
    *("Cases", "Runs", "Predictions", "PredictionTable", "CaseFacts", "RunFacts", "DatasetFacts", "FoldFacts"),
    "RankedCases",
}
OPTIONAL = {"cases", "runs", "predictions", "leaderboard", "aggregates", "profiles"}
FLAGS = {"by_score", "of_cases", "one_dataset", "counts_wins", "averages"}
NAMES = ("found", "made", "told", "given", "known")
IN_A_ROW = 6
LEAST_SIGNS = 60  # of six lines: shorter ones say nothing
DECLARED = re.compile(r"n : .*|.* [,(]|[*)] .*|(def|class) .*")  # fields, and arguments with what is around them


def modules() -> dict[Path, str]:
    """Every module of the package with its text."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}


def code_lines(text: str) -> list[tuple[int, str]]:
    """The lines of code with their numbers."""
    described = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    inside: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, described) and ast.get_docstring(node, clean=False) is not None:
            inside |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines = enumerate(map(str.strip, text.splitlines()), start=1)
    return [(at, line) for at, line in lines if line and not line.startswith("#") and at not in inside]


def _name(node: ast.AST) -> str:
    node = node.value if isinstance(node, ast.NamedExpr) else node
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_switch(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and _name(node.func) == "isinstance":
        return any(_name(part) in CLASSES for part in ast.walk(node.args[1]))
    if isinstance(node, ast.Attribute):
        return node.attr in FLAGS and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Attribute) and node.slice.attr == "unit"
    if not isinstance(node, ast.Compare):
        return False
    sides = [node.left, *node.comparators]
    values = [part.value for side in sides for part in ast.walk(side) if isinstance(part, ast.Constant)]
    if isinstance(node.ops[0], ast.Is | ast.IsNot):
        return values == [None] and _name(node.left) in OPTIONAL
    words = [value for value in values if isinstance(value, str)]
    return any(_name(side) in ("unit", "over") for side in sides) and bool(words) and "folds" not in words


def switches() -> Iterator[tuple[str, int, str]]:
    """Every place that asks which unit this is: its file, line and text."""
    for path, text in modules().items():
        if path.parent.name != "units":
            found = [node for node in ast.walk(ast.parse(text)) if _is_switch(node)]
            yield from ((str(path.relative_to(SOURCE)), node.lineno, ast.unparse(node)) for node in found)  # type: ignore[attr-defined]


def shapes(text: str) -> list[tuple[int, str]]:
    """The code lines by their shape: names, texts and numbers do not count, words of the language do."""
    places = {at for at, line in code_lines(text) if not line.startswith(("import ", "from ", "@", '"', "'"))}
    lines: dict[int, list[str]] = defaultdict(list)
    stands_for = {tokenize.STRING: "s", tokenize.NUMBER: "0", tokenize.NAME: "n"}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.start[0] in places and token.type in (*stands_for, tokenize.OP):
            kept = keyword.iskeyword(token.string) or token.type == tokenize.OP
            lines[token.start[0]].append(token.string if kept else stands_for[token.type])
    return [(at, " ".join(lines[at])) for at in sorted(lines)]


def shared_lines() -> list[tuple[str, str, bool]]:
    """Pairs of places that begin a run of at least six code lines of the same shape, and whether these are more than declared."""
    blocks: dict[tuple[str, ...], list[tuple[Path, int, int, bool]]] = defaultdict(list)
    for path, text in modules().items():
        lines = shapes(text)
        for place in range(len(lines) - IN_A_ROW + 1):
            block = tuple(line for _, line in lines[place : place + IN_A_ROW])
            if sum(map(len, block)) >= LEAST_SIGNS:
                does = not all(DECLARED.fullmatch(line) for line in block)
                blocks[block].append((path, place, lines[place][0], does))
    same = {pair for places in blocks.values() for pair in combinations(places, 2)}
    at = {(one[:2], other[:2]) for one, other in same}
    begins = [
        (one, other)
        for one, other in same
        if ((one[0], one[1] - 1), (other[0], other[1] - 1)) not in at
        and not (one[0] == other[0] and abs(one[1] - other[1]) < IN_A_ROW)  # a list of alike lines
    ]
    return sorted((f"{a[0].relative_to(SOURCE)}:{a[2]}", f"{b[0].relative_to(SOURCE)}:{b[2]}", a[3]) for a, b in begins)


def traced() -> tuple[int, int, int]:
    """Distinct functions, files and pairs of files that call each other in `compare benavoli2016 --html`."""
    from podium.cli.main import run

    functions: set[Any] = set()
    changes: set[tuple[str, str]] = set()
    here = str(SOURCE)

    def count(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(here) or code.co_name.startswith("<"):
            return
        functions.add(code)
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(here):
            caller = caller.f_back
        if caller is not None and caller.f_code.co_filename != code.co_filename:
            changes.add((caller.f_code.co_filename, code.co_filename))

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        sys.argv = ["podium", "compare", "benavoli2016", "--quiet", "--html", str(Path(folder) / "report.html")]
        sys.setprofile(count)
        with contextlib.suppress(SystemExit), contextlib.redirect_stderr(io.StringIO()):
            run()
        sys.setprofile(None)
    return len(functions), len({code.co_filename for code in functions}), len(changes)


def names() -> Counter[str]:
    """How often each of the names that say nothing stands in the code."""
    tokens = (token for text in modules().values() for token in tokenize.generate_tokens(io.StringIO(text).readline))
    return Counter(token.string for token in tokens if token.type == tokenize.NAME and token.string in NAMES)


def main_table() -> None:
    """Print every count, and what was asked for besides."""
    asked = sys.argv[1:]
    every = list(switches())
    pairs = shared_lines()
    functions, files, changes = traced()
    counts = names()
    rows = {
        "code lines": f"{sum(len(code_lines(text)) for text in modules().values()):,}",
        "switches on the unit": f"{len(every)} in {len({file for file, _, _ in every})} files",
        "functions traced": f"{functions}",
        "files traced": f"{files}",
        "changes of file traced": f"{changes}",
        f"pairs of places with {IN_A_ROW} shared lines": f"{len(pairs)}, {sum(does for *_, does in pairs)} beyond declarations",
        "names": ", ".join(f"{name} {counts[name]}" for name in NAMES),
    }
    for title, value in rows.items():
        print(f"{title:40}{value}")
    if "switches" in asked:
        print(*(f"{file}:{line}: {text}" for file, line, text in every), sep="\n")
    if "shared" in asked:
        print(*(f"{one} {other}{' *' if does else ''}" for one, other, does in pairs), sep="\n")


if __name__ == "__main__":
    main_table()
