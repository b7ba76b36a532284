"""Digests of the user's own code: of a class, a program or a metric, with what it imports from beside it.

Files are read, and nothing is imported. What is installed has no digest here: its version is noted with each run.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

from podium.bench.metrics import CustomMetric
from podium.bench.spec import AlgorithmSpec

_STANDARD = Path(sysconfig.get_path("stdlib")).resolve()
_INSTALLED = {"site-packages", "dist-packages"}
_COMPILED = (".so", ".pyd")


def located(part: str) -> str:
    """A file of the user's in full, be it named from where Podium runs or from the folder of the suite; else as it is."""
    folders = [Path.cwd(), *(Path(folder) for folder in sys.path if folder)]
    file = next((folder / part for folder in folders if (folder / part).is_file()), None)
    return part if file is None else str(file.resolve())


def source_digest(spec: AlgorithmSpec, folders: Iterable[str]) -> str:
    """A hash of the files that an own class or program is written in; "" for what is installed."""
    roots = _roots(folders)
    if spec.program:
        scripts = [Path(located(part)) for part in spec.program]
        own = [script for script in scripts if script.is_file() and not _is_installed(script)]
        return _digest(_with_imports(own, [*(script.parent for script in own), *roots]))
    return _digest(_with_imports(_files(spec.path.rpartition(".")[0], roots), roots))


def metric_digest(metric: CustomMetric, folders: Iterable[str]) -> str:
    """A hash of a metric of the user's: which function it is, and the files that it is written in."""
    roots = _roots(folders)
    files = _with_imports(_files(metric.function.partition(":")[0], roots), roots)
    return hashlib.sha256(f"{metric.function} {_digest(files)}".encode()).hexdigest()[:32]


def _roots(folders: Iterable[str]) -> list[Path]:
    """The folders that may hold code of the user's."""
    paths = dict.fromkeys(Path(folder or ".").resolve() for folder in (*folders, *sys.path))
    return [path for path in paths if path.is_dir() and not _is_installed(path)]


def _is_installed(path: Path) -> bool:
    return not _INSTALLED.isdisjoint(path.parts) or path.resolve().is_relative_to(_STANDARD)


def _files(module: str, roots: Iterable[Path]) -> list[Path]:
    """The files of a module and of the packages around it, as the first of the folders has them; none if it is not there."""
    parts = module.split(".")
    if parts[0] == "podium" or not all(parts):
        return []
    for root in roots:
        files: list[Path] = []
        for depth in range(1, len(parts) + 1):
            place = root.joinpath(*parts[:depth])
            beside = [file for file in place.parent.glob(f"{place.name}.*") if file.suffix in (".py", *_COMPILED)]
            files += sorted(file for file in (place / "__init__.py", *beside) if file.is_file())
        if files:
            return files
    return []


def _with_imports(files: Iterable[Path], roots: list[Path]) -> list[Path]:
    """The files, and those of the user's that they import, be it within a function."""
    listed = list(dict.fromkeys(files))
    for file in listed:  # grows while it is walked
        for module in _imported(file, roots):
            listed += [each for each in _files(module, roots) if each not in listed]
    return listed


def _imported(file: Path, roots: Iterable[Path]) -> Iterator[str]:
    """The modules that a file imports, under their full names; of `from a import b`, a and a.b."""
    if file.suffix != ".py":
        return
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):  # whoever imports it will say so
        return
    home = next((file.relative_to(root).parent.parts for root in roots if file.is_relative_to(root)), ())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = home[: len(home) + 1 - node.level] if node.level else ()
            module = ".".join([*package, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}".strip(".") for alias in node.names)


def _digest(files: Iterable[Path]) -> str:
    """A hash of files, wherever they lie; "" for none."""
    hashes = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    return hashlib.sha256("".join(hashes).encode()).hexdigest()[:32] if len(hashes) > 1 else "".join(hashes)[:32]
