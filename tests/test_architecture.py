"""The rooms import each other only in the directions of ARCHITECTURE.md."""

import ast
import importlib
import importlib.util
import inspect
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
    "web": {"stats", "bayes", "ordering", "chance", "comparison", "studies", "plot", "report", "bench", "cli"},
}

FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE)


def imported_rooms(path):
    """The rooms of podium that a file names in any import statement, wherever it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        modules = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively; write the full name"
            modules = [node.module]
            if node.module == "podium":
                modules = [f"podium.{alias.name}" for alias in node.names]
        for module in modules:
            parts = module.split(".")
            if parts[0] == "podium" and len(parts) > 1 and (PACKAGE / parts[1]).is_dir():
                yield parts[1]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_in_the_allowed_direction(path):
    room = path.relative_to(PACKAGE).parts[0]
    allowed = MAY_IMPORT[room] | {room, "core"}
    assert set(imported_rooms(path)) <= allowed


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
