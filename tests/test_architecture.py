"""The rooms import each other only in the directions of ARCHITECTURE.md."""

import ast
import importlib
import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import podium

PACKAGE = Path(podium.__file__).parent

# Room -> the rooms it may import. Every room may import itself and core.
MAY_IMPORT = {
    "core": set(),
    "stats": set(),
    "bayes": set(),
    "chance": set(),
    "bench": set(),
    "ordering": {"stats"},
    "comparison": {"stats", "bayes", "ordering", "chance", "studies"},
    "studies": {"stats", "bayes", "ordering", "chance"},
    "plot": {"stats", "bayes", "ordering", "chance", "comparison", "studies"},
    "report": {"stats", "bayes", "ordering", "chance", "comparison", "studies", "plot"},
    "cli": {"stats", "bayes", "ordering", "chance", "comparison", "studies", "plot", "report", "bench", "web"},
    "web": {"stats", "bayes", "ordering", "chance", "comparison", "studies", "plot", "report", "bench"},
}

FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE)

# Homes of what a registry lists are strings, loaded when asked for. A registry may name another room only here.
MAY_NAME = {"core/read/registry.py": {"bench"}}  # a benchmark's store is read by the bench


def imported_rooms(path):
    """The rooms of podium that a file imports, wherever the statement stands, or names as the home of something."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            assert not any(name.split(".")[0] == "podium" for name in names), (
                f"{path}:{node.lineno} imports podium itself; write from podium.room.module import name"
            )
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively; write the full name"
            assert node.module != "podium", f"{path}:{node.lineno} imports through podium itself; name the module"
            yield from _room_of(node.module)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and HOME.fullmatch(node.value):
            yield from _room_of(node.value)


HOME = re.compile(r"podium(\.\w+)+(:\w+)?")


def _room_of(module):
    parts = module.split(":")[0].split(".")
    if parts[0] == "podium" and len(parts) > 1 and (PACKAGE / parts[1]).is_dir():
        yield parts[1]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_in_the_allowed_direction(path):
    place = path.relative_to(PACKAGE)
    room = place.parts[0]
    allowed = MAY_IMPORT[room] | {room, "core"} | MAY_NAME.get(place.as_posix(), set())
    assert set(imported_rooms(path)) <= allowed


@pytest.mark.parametrize(
    "line", ["import podium", "import podium.stats", "from podium import stats", "from .stats import registry"]
)
def test_an_import_through_podium_itself_is_found(line, tmp_path):
    path = tmp_path / "module.py"
    path.write_text(f"def f():\n    {line}\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=r"module\.py:2 imports"):
        list(imported_rooms(path))


def test_a_home_in_a_registry_counts_as_an_import(tmp_path):
    path = tmp_path / "module.py"
    path.write_text('HOMES = {".db": "podium.bench.results:results_from_store"}\n', encoding="utf-8")
    assert list(imported_rooms(path)) == ["bench"]


def test_every_room_says_in_three_lines_what_it_is_for():
    rooms = {path.parent for path in FILES}
    for room in rooms:
        docstring = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")))
        assert len((docstring or "").splitlines()) >= 3, room


NAMESPACES = ["podium", *(f"podium.{path.parent.name}" for path in sorted(PACKAGE.glob("*/__init__.pyi")))]


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_every_public_name_exists_and_no_module_hides_it(namespace):
    package = importlib.import_module(namespace)
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    for name in package.__all__:
        thing = getattr(package, name)
        # Importing podium.bayes.sign would put the module in the place of the function: such modules are called _sign.
        assert not inspect.ismodule(thing) or (namespace == "podium" and name in rooms), name
        assert inspect.ismodule(thing) or importlib.util.find_spec(f"{namespace}.{name}") is None, name


def test_the_top_level_keeps_to_the_verbs():
    assert len(podium.__all__) <= 25


@pytest.mark.parametrize("command", ["import podium", "from podium.cli.main import app"])
def test_import_and_help_load_no_heavy_package(command):
    code = f"import sys; {command}; print(' '.join(sys.modules))"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    )
    heavy = {"scipy.stats", "pandas", "sklearn", "matplotlib", "numba"}
    assert not heavy & loaded
