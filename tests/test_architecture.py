"""The rooms import each other only in the directions of ARCHITECTURE.md, and never through `podium` itself."""

import ast
import importlib
import importlib.util
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import podium
from podium.cli.main import COMMANDS
from trees import tree_of

PACKAGE = Path(podium.__file__).parent
ARCHITECTURE = Path(__file__).parents[1] / "ARCHITECTURE.md"

_COMPUTING = {"stats", "bayes", "ordering", "chance", "cases", "runs"}
_SHOWN = {*_COMPUTING, "planning", "studies", "comparison", "plot", "report", "bench", "reading"}

# Room -> the rooms it may import. Every room may import itself and core; all but core may import evidence.
MAY_IMPORT = {
    "core": set(),
    "evidence": set(),
    "reading": set(),
    "stats": set(),
    "bayes": {"reading"},  # all_pairs takes whatever can be read
    "chance": set(),
    "bench": set(),
    "ordering": {"stats", "reading"},  # so does order
    "cases": {"stats"},
    "runs": {"stats"},
    "planning": _COMPUTING,
    "studies": {*_COMPUTING, "planning", "reading"},  # the tables of the papers
    "comparison": {*_COMPUTING, "planning", "studies", "reading"},
    "plot": {*_COMPUTING, "planning", "studies", "comparison"},
    "report": {*_COMPUTING, "planning", "studies", "comparison", "plot"},
    "compat": {*_COMPUTING, "planning", "studies", "comparison", "plot", "report"},
    "web": _SHOWN,
    "cli": {*_SHOWN, "web"},  # for `podium serve`
}

# Registries of core name homes in other rooms as text; these are loaded when someone asks for one.
MAY_NAME = {
    "core/options.toml": {"stats", "bayes"},  # the words that --test, --correction and --model can be
    "core/units.toml": {"comparison", "evidence"},  # the classes of a unit
    "core/shown.py": {"plot", "report"},  # who draws, shows and writes a result
    "evidence/table.py": {"reading"},  # a path is read
    "evidence/cases.py": {"cases"},  # the predictions that cases come from
    "reading/registry.toml": {"bench"},  # a benchmark's store is read by the bench
}

ROOMS = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
_HOME = re.compile(r"podium(\.\w+)+(:\w+)?")
_THROUGH = "goes through podium itself: write from podium.room.module import name"


def faults(package):
    """Every import, or home named as text, that the rooms of a tree must not have, one line each."""
    paths = sorted(path for path in package.glob("*/**/*") if path.suffix in (".py", ".toml"))
    return [fault for path in paths for fault in _faults_of(path, package)]


def _faults_of(path, package):
    place = path.relative_to(package).as_posix()
    room = place.split("/")[0]
    shared = {"core"} if room == "core" else {"core", "evidence"}
    allowed = MAY_IMPORT.get(room, set()) | {room} | shared
    text = path.read_text(encoding="utf-8")
    for line, named, imported in _named(tree_of(text)) if path.suffix == ".py" else _in_toml(text):
        known = allowed if imported else allowed | MAY_NAME.get(place, set())
        if named is None:
            yield f"{place}:{line} imports relatively: write the full name"
        elif named == "":
            yield f"{place}:{line} {_THROUGH}"
        elif named in MAY_IMPORT and named not in known:
            yield f"{place}:{line} {room} must not import {named}"


def _named(tree):
    """Line, room, and whether it is an import statement; the room is "" for podium itself, None for a relative import."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "podium":
                    yield node.lineno, "", True  # binds the name podium, and getattr finds the rest
        elif isinstance(node, ast.ImportFrom) and node.level:
            yield node.lineno, None, True
        elif isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "podium":
            yield node.lineno, _room(node.module), True
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            if _HOME.fullmatch(node.value):
                yield node.lineno, _room(node.value), False
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            first = re.match(r"podium\.(\w+)\.", node.values[0].value)
            if first:
                yield node.lineno, first[1], False
        elif isinstance(node, ast.Call | ast.Subscript):
            yield from _looked_up(node)


def _in_toml(text):
    """Homes that a table of a registry names."""
    for number, line in enumerate(text.splitlines(), 1):
        for home in re.findall(r'"([^"]*)"', line):
            if _HOME.fullmatch(home):
                yield number, _room(home), False


def _looked_up(node):
    """`import_module("podium")`, `__import__("podium")`, `resolve_name("podium:compare")` and `sys.modules["podium"]`."""
    if isinstance(node, ast.Subscript):
        place, given, looks = node.value, node.slice, ("modules",)
    else:
        looks = ("import_module", "__import__", "resolve_name")
        place, given = node.func, node.args[0] if node.args else None
    name = getattr(place, "attr", getattr(place, "id", ""))
    if name in looks and isinstance(given, ast.Constant) and str(given.value).partition(":")[0] == "podium":
        yield node.lineno, "", True


def _room(module):
    parts = module.split(":")[0].split(".")
    return parts[1] if len(parts) > 1 else ""


def test_rooms_import_each_other_in_the_allowed_directions_only():
    assert faults(PACKAGE) == []


def test_a_room_that_is_added_says_whom_it_may_import():
    assert set(MAY_IMPORT) >= ROOMS


PLANTED = [
    ("stats/effects.py", "import podium", "through podium itself"),
    ("stats/effects.py", "import podium.stats.registry", "through podium itself"),
    ("stats/effects.py", "import podium as whole", "through podium itself"),
    ("web/api.py", "from podium import compare", "through podium itself"),
    ("plot/axes.py", 'getattr(importlib.import_module("podium"), "compare")', "through podium itself"),
    ("plot/axes.py", '__import__("podium").compare', "through podium itself"),
    ("plot/axes.py", 'resolve_name("podium:compare")', "through podium itself"),
    ("plot/axes.py", 'sys.modules["podium"].compare', "through podium itself"),
    ("stats/effects.py", "from .registry import PAIRWISE", "relatively"),
    ("web/api.py", "from podium.cli.main import app", "web must not import cli"),
    ("stats/effects.py", "from podium.bayes.registry import MODELS", "stats must not import bayes"),
    ("core/ranks.py", "from podium.stats import registry", "core must not import stats"),
    ("bench/store.py", "from podium.stats import registry", "bench must not import stats"),
    ("reading/registry.py", "from podium.bench.results import results_from_store", "reading must not import bench"),
    ("reading/registry.toml", 'home = "podium.report.output:show"', "reading must not import report"),
    ("evidence/table.py", 'HOME = "podium.bench.results:results_from_store"', "evidence must not import bench"),
    ("core/ranks.py", "from podium.evidence.table import Table", "core must not import evidence"),
    ("evidence/scores.py", "from podium.reading.reader import read", "evidence must not import reading"),
    ("core/options.toml", 'home = "podium.plot.registry:FIGURES"', "core must not import plot"),
    ("bayes/registry.py", 'HOME = f"podium.plot.{name}"', "bayes must not import plot"),
]


def test_planted_faults_are_found(tmp_path):
    tree = tmp_path / "podium"
    shutil.copytree(PACKAGE, tree, ignore=shutil.ignore_patterns("__pycache__", "data", "static", "templates"))
    wanted = []
    for place, line, fault in PLANTED:
        text = (tree / place).read_text(encoding="utf-8")
        start = "\n\ndef planted():\n    " if place.endswith(".py") else "\n\n\n"
        (tree / place).write_text(f"{text}{start}{line}\n", encoding="utf-8")
        wanted.append((f"{place}:{len(text.splitlines()) + 4}", fault))
    found = faults(tree)
    for start, fault in wanted:
        assert [line for line in found if line.startswith(f"{start} ") and fault in line], (start, fault)
    assert len(found) == len(PLANTED), found


def test_what_registries_name_as_text_is_not_found_through_podium_either():
    code = """
from pkgutil import resolve_name

import podium
from podium.bayes.registry import MODELS
from podium.chance.registry import METRICS
from podium.core.options import OPTIONS
from podium.reading import registry as formats
from podium.plot import registry as figures
from podium.report.methods import explain, method_names
from podium.stats import registry

def refuse(name):
    raise AssertionError(f"podium.{name} was asked for")

podium.__getattr__ = refuse
assert {"compare", "order"} <= set(method_names())
for name in method_names():
    explain(name)
for table in (registry.PAIRWISE, registry.OMNIBUS, registry.CORRECTIONS, registry.PROCEDURES):
    for entry in table.values():
        registry.load(entry)
for metric in METRICS.values():
    metric.load()
for name in figures.FIGURES:
    figures.function(name)
for entry in formats.FORMATS.values():
    resolve_name(entry.home)
for option in OPTIONS.values():
    option.allowed()
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_page_says_who_may_import_whom_as_it_is_tested():
    text = ARCHITECTURE.read_text(encoding="utf-8")
    listed = re.search(r"```\ncore <- (.*?)```", text, flags=re.DOTALL)[0]
    assert set(re.findall(r"\w+", re.sub(r"\(.*?\)", "", listed))) == ROOMS
    for room in ROOMS:
        assert re.search(rf"^{room}/ ", text, flags=re.MULTILINE), room


def test_every_room_says_in_three_lines_what_it_is_for():
    rooms = {path.parent for path in PACKAGE.glob("*/**/*.py")}
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
    """The verbs, the core types and the errors, and one name for each room."""
    assert len(set(podium.__all__) - set(MAY_IMPORT)) <= 21


HELP = "from podium.cli.main import run; sys.argv = ['podium', '--help']; atexit.register(show); run()"


@pytest.mark.parametrize("command", ["import podium; show()", HELP])
def test_import_and_help_load_no_heavy_package(command):
    code = f"import atexit, sys; show = lambda: print(' '.join(sys.modules), file=sys.stderr); {command}"
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    heavy = {"numpy", "scipy", "pandas", "sklearn", "matplotlib", "numba", "pydantic", "jinja2", "rich.console"}
    assert not heavy & set(ran.stderr.split())
    if command == HELP:
        assert {line.split()[0] for line in ran.stdout.splitlines() if line.startswith("  ")} >= set(COMMANDS)


def test_a_comparison_of_scores_loads_no_room_that_it_does_not_need():
    show = "lambda: print(' '.join(sys.modules), file=sys.stderr)"
    called = "sys.argv = ['podium', 'compare', 'benavoli2016']; atexit.register(show); run()"
    code = f"import atexit, sys; from podium.cli.main import run; show = {show}; {called}"
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    loaded = set(ran.stderr.split())
    assert not {"scipy", "sklearn", "matplotlib", "numba", "pydantic", "jinja2"} & loaded
    assert not {name for name in loaded if re.match(r"podium\.(cases|chance|runs|bayes|bench|web)\b", name)}


def test_a_slot_loads_no_package_before_its_first_job_needs_it():
    """A supervisor is started for every slot: what it loads costs its time and its memory as often."""
    code = "import sys, podium.bench.worker; print(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"scipy", "sklearn", "matplotlib", "numba"} & set(loaded)
