"""Every fact is known once: lists, options, numbers and sizes of functions, looked at in the source itself."""

import ast
import importlib
import inspect
import operator
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import typer

import podium
from podium.bayes.registry import CASE_MODELS, MODELS, STEPS
from podium.cases.registry import METRICS as CASE_METRICS
from podium.chance import registry as chance
from podium.cli.main import app
from podium.comparison.units.case import MISSING
from podium.core.options import COMPARING_CASES, OPTIONS, OUTPUT, READING, RUNNING
from podium.planning.batch import SHAPES
from podium.plot.registry import FIGURES
from podium.reading import registry as formats
from podium.report.methods import method_names
from podium.runs._normalise import WAYS
from podium.runs.registry import AGGREGATES
from podium.stats.posthoc.pairs_result import INTERVALS
from podium.stats.registry import CORRECTIONS, OMNIBUS, PAIRWISE
from podium.studies.calibration import CONFIGURATIONS
from trees import tree_of

ROOT = Path(__file__).parents[1]
PACKAGE = Path(podium.__file__).parent


def sources(package):
    """Place and syntax tree of every module."""
    for path in sorted(package.rglob("*.py")):
        yield path.relative_to(package).as_posix(), tree_of(path.read_text(encoding="utf-8"))


def planted(tmp_path, text, place="stats/planted.py"):
    """A tree of one module, in which a fault stands."""
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return tmp_path


# --- Lists -----------------------------------------------------------------------------------------------------------

MANY = 3  # so many names of one registry in one literal are a list of its own


def commands(group, before=()):
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*before, name))
        else:
            yield (*before, name), command


COMMANDS = {" ".join(names): command for names, command in commands(typer.main.get_command(app))}

# What exists, and the files that may say so.
REGISTRIES = {
    "tests": (set(PAIRWISE), {"stats/registry.py"}),
    "omnibus tests": (set(OMNIBUS), {"stats/registry.py"}),
    "corrections": (set(CORRECTIONS), {"stats/registry.py"}),
    "Bayesian models": ({*MODELS, *STEPS}, {"bayes/registry.py"}),
    # The report says which of them it shows, up to which size, and a paper which it draws.
    "figures": (set(FIGURES), {"plot/registry.py", "report/figures.py", "report/render_latex.py"}),
    "formats": ({*formats.FORMATS, *formats.endings()}, {"reading/registry.py"}),
    "chance metrics": (
        {word for metric in chance.METRICS.values() for word in (metric.name, metric.shown, *metric.aliases)},
        {"chance/registry.py"},
    ),
    "commands": ({names.split()[0] for names in COMMANDS}, {"cli/main.py"}),
}

# The same words for something else.
OTHER_THINGS = {
    ("core/metric.py", "chance metrics"): "the direction of any metric, by its name",
    ("bench/metrics.py", "chance metrics"): "the metrics that a benchmark computes: their own registry",
    ("chance/top.py", "chance metrics"): "the module that has these metrics: what one true positive counts for each",
    ("studies/verify.py", "chance metrics"): "numbers that a paper printed",
    ("core/check.py", "tests"): "what other libraries call a value, and what it is called here",
    ("core/check.py", "corrections"): "what other libraries call a value, and what it is called here",
    ("compat/scikit_posthocs.py", "corrections"): "what another library calls a value, and what it is called here",
    ("reading/logs/packing.py", "formats"): "the module that has these formats: how each is opened",
    ("bench/datasets/files.py", "formats"): "how datasets (not scores) are read",
}


def lists(package):
    """Literals that repeat a registry: place:line, which registry, the names."""
    for place, tree in sources(package):
        for node in ast.walk(tree):
            for names in _literal(node):
                for registry, (known, homes) in REGISTRIES.items():
                    found = sorted({name for name in names if isinstance(name, str)} & known)
                    if len(found) >= MANY and place not in homes and (place, registry) not in OTHER_THINGS:
                        yield f"{place}:{node.lineno} lists {registry}: {', '.join(found)}"


def _literal(node):
    """The texts of a tuple, list or set (or the first of each of its rows), of keys or values, of words that are split."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        yield [part.value for part in node.elts if isinstance(part, ast.Constant)]
        rows = [part.elts for part in node.elts if isinstance(part, ast.Tuple | ast.List) and part.elts]
        yield [row[0].value for row in rows if isinstance(row[0], ast.Constant)]
    elif isinstance(node, ast.Dict):
        for parts in (node.keys, node.values):
            yield [part.value for part in parts if isinstance(part, ast.Constant)]
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "dict":
        yield [keyword.arg for keyword in node.keywords]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
        yield node.func.value.value.split() if isinstance(getattr(node.func.value, "value", None), str) else []


def test_no_list_exists_outside_its_registry():
    assert list(lists(PACKAGE)) == []


@pytest.mark.parametrize(
    "text",
    [
        'TESTS = ("wilcoxon", "sign", "paired_t")',
        'def f(test):\n    return test in {"nemenyi", "tukey", "dunnett"}',
        'LABELS = {"holm": 1, "hochberg": 2, "hommel": 3}',
        'ROWS = [("friedman", 1), ("quade", 2), ("anova", 3)]',
        'MODELS = "sign signed_rank hierarchical".split()',
        "FIGURES = dict(cd_diagram=1, forest=2, heatmap=3)",
        'ENDINGS = [".csv", ".tsv", ".parquet"]',
        'METRICS = ["auc", "mcc", "kappa"]',
        'COMMANDS = ("compare", "order", "bayes")',
        'def f(test: Literal["wilcoxon", "sign", "paired_t"]): ...',
    ],
)
def test_a_planted_list_is_found(text, tmp_path):
    assert len(list(lists(planted(tmp_path, text)))) == 1


def test_two_names_are_no_list(tmp_path):
    assert not list(lists(planted(tmp_path, 'PAIR = ("wilcoxon", "sign")')))


def page_lists(package):
    """Pages and scripts that list methods: their names in quotes."""
    for path in sorted(path for path in package.rglob("*") if path.suffix in (".html", ".js", ".jinja", ".css")):
        quoted = set(re.findall(r"[\"'`]([\w.]+)[\"'`]", path.read_text(encoding="utf-8")))
        for registry in ("tests", "omnibus tests", "corrections", "Bayesian models", "figures"):
            found = sorted(quoted & REGISTRIES[registry][0])
            if len(found) >= MANY:
                yield f"{path.relative_to(package).as_posix()} lists {registry}: {', '.join(found)}"


def test_pages_and_their_scripts_have_no_list(tmp_path):
    assert list(page_lists(PACKAGE)) == []
    planted(tmp_path, "const tests = ['wilcoxon', 'sign', 'nemenyi'];", "web/page.js")
    assert len(list(page_lists(tmp_path))) == 1


def test_the_guide_says_only_what_no_registry_says():
    guide = tomllib.loads((PACKAGE / "report/guide.toml").read_text(encoding="utf-8"))
    assert not set(guide) & {*PAIRWISE, *OMNIBUS, *CORRECTIONS}


def test_words_that_an_option_can_be_are_those_of_the_study():
    assert OPTIONS["shape"].allowed() == OPTIONS["shapes"].allowed() == tuple(SHAPES)
    assert OPTIONS["configurations"].allowed() == tuple(CONFIGURATIONS)


def test_words_that_an_option_can_be_are_those_of_the_rooms():
    """Options list a few words themselves, because their rooms are slow to load."""
    assert OPTIONS["aggregate"].allowed() == tuple(
        name for name, entry in AGGREGATES.items() if entry.influence is not None
    )
    assert OPTIONS["normalise"].page["choices"] == WAYS  # never the path of a file of the server
    assert set(OPTIONS["intervals"].allowed()) == set(INTERVALS)
    assert COMPARING_CASES[0].allowed() == MISSING


# --- Sizes -----------------------------------------------------------------------------------------------------------

LONGEST = 60  # lines of code, without the docstring


def long_functions(package):
    for place, tree in sources(package):
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = node.end_lineno - node.lineno + 1
                if ast.get_docstring(node) is not None:
                    lines -= node.body[0].end_lineno - node.body[0].lineno + 1
                if lines > LONGEST:
                    yield f"{place}:{node.lineno} {node.name} has {lines} lines"


def test_no_function_is_long(tmp_path):
    assert list(long_functions(PACKAGE)) == []
    body = "    x = 1\n" * LONGEST
    assert len(list(long_functions(planted(tmp_path, f'def f():\n    """Say.\n\n    More.\n    """\n{body}')))) == 1
    assert not list(long_functions(planted(tmp_path, f"def f():\n    '''Say.\n\n    More.\n    '''\n{body[:-10]}")))


SAME = 3  # lines of code; a function of so many that stands in two places is one too many


def twins(package):
    """Functions with the same arguments and the same body, but for the docstring."""
    places = {}
    for place, tree in sources(package):
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) is not None else node.body
                if body and body[-1].end_lineno - body[0].lineno + 1 >= SAME:
                    same = ast.dump(ast.Module(body=body, type_ignores=[])) + ast.dump(node.args)
                    places.setdefault(same, []).append(f"{place}:{node.name}")
    return [found for found in places.values() if len(found) > 1]


def test_no_function_stands_in_two_places(tmp_path):
    assert twins(PACKAGE) == []
    body = "    y = x + 1\n    z = y * y\n    return y + z\n"
    planted(tmp_path, f"def f(x):\n{body}", "stats/one.py")
    assert twins(tmp_path) == []
    planted(tmp_path, f"def g(x):\n    '''Say.'''\n{body}", "bayes/two.py")
    assert twins(tmp_path) == [["bayes/two.py:g", "stats/one.py:f"]]


def reasonless(package):
    """Functions that the linter lets be complex without a reason in brackets behind it."""
    for path in sorted(package.rglob("*.py")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if "noqa" in line and "C901" in line and not re.search(r"noqa: C901\s+\(\w.{10,}\)", line):
                yield f"{path.relative_to(package).as_posix()}:{number}"


def test_complexity_above_15_has_a_reason(tmp_path):
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]["lint"]
    assert "C901" in settings["select"]
    assert settings["mccabe"]["max-complexity"] == 15
    assert list(reasonless(PACKAGE)) == []
    assert list(reasonless(planted(tmp_path, "def f():  # noqa: C901\n    pass\n"))) == ["stats/planted.py:1"]


# --- Numbers ---------------------------------------------------------------------------------------------------------

# Formats of numbers that no person reads, or that are drawn, not said.
COORDINATES = {
    "plot/scene.py": "lengths",
    "plot/scores.py": "shades of colours",
    "plot/matrix.py": "shades of colours",
    "plot/chance.py": "shades of colours",
    "plot/bayes.py": "shades of colours",
    "plot/ranks.py": "shades of colours",
    "report/html_blocks.py": "the number by which a column is sorted",
    "report/render_latex.py": "widths of columns",
}
SPEC = re.compile(r"[+ ]?,?(\.\d*|\.)?[eEfFgG%]")


def formatted(package):
    """Numbers that are formatted outside core/numbers.py: `f"{x:.3f}"`, `format(x, ".3f")`, `"%.3f" % x`, `round(x, 2)` in a text."""
    for place, tree in sources(package):
        if place == "core/numbers.py" or place in COORDINATES:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
                parts = node.format_spec.values
                spec = "".join(part.value if isinstance(part, ast.Constant) else "9" for part in parts)
                if SPEC.fullmatch(spec):
                    yield f"{place}:{node.lineno} :{spec}"
            elif (
                isinstance(node, ast.FormattedValue) and getattr(getattr(node.value, "func", None), "id", "") == "round"
            ):
                yield f"{place}:{node.lineno} round"
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant):
                if isinstance(node.left.value, str) and re.search(r"%\.?\d*[efg]", node.left.value):
                    yield f"{place}:{node.lineno} %"
            elif isinstance(node, ast.Call) and _is_format(node):
                yield f"{place}:{node.lineno} format"


def _is_format(node):
    """`format(x, ".3f")`, or `"{:.3f}".format(x)`."""
    if getattr(node.func, "id", "") == "format" and len(node.args) == 2:
        return isinstance(node.args[1], ast.Constant) and bool(SPEC.fullmatch(str(node.args[1].value)))
    text = getattr(getattr(node.func, "value", None), "value", None)
    return getattr(node.func, "attr", "") == "format" and isinstance(text, str) and ":." in text


def test_numbers_are_written_by_core_numbers_alone():
    assert list(formatted(PACKAGE)) == []


@pytest.mark.parametrize(
    "text",
    ['f"{x:.3f}"', 'f"{x:g}"', 'f"{x:.0%}"', 'f"{x:.{2}g}"', 'f"{round(x, 2)}"', '"%.3f" % x', 'format(x, ".3f")',
     '"{:.3f}".format(x)'],
)  # fmt: skip
def test_a_planted_format_is_found(text, tmp_path):
    assert len(list(formatted(planted(tmp_path, text)))) == 1


# --- Words for roles -------------------------------------------------------------------------------------------------


def word_lists(text, words):
    """Lists of four or more names of columns in a module: as a collection of texts, or as one text that is split."""
    for node in ast.walk(ast.parse(text)):
        several = []
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            several = [
                each.value for each in node.elts if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            several = node.value.split()
        if len(several) > 3 and words.issuperset(several):
            yield " ".join(several)


def test_words_for_roles_stand_in_one_table():
    table = tomllib.loads((ROOT / "src/podium/reading/roles.toml").read_text(encoding="utf-8"))
    tables = ("role", "cases", "runs", "predictions", "numbered")
    words = frozenset(word for name in tables for kind in table[name].values() for word in kind.split())
    roles = frozenset((*table["role"], *table["cases"], *table["runs"]))  # what options and roles are called
    assert list(word_lists('KNOWN = ("model", "clf", "learner", "solver")', words - roles))
    listed = [
        (path.name, found)
        for path in (ROOT / "src/podium/reading").glob("*.py")
        for found in word_lists(path.read_text(encoding="utf-8"), words - roles)
    ]
    assert listed == []


# --- Options ---------------------------------------------------------------------------------------------------------

# Command -> the functions in Python that it stands for: what it reads, computes and shows is among their arguments.
SHOW, READ = "podium.report.output:show", "podium.reading.options:ReadOptions"
PYTHON = {
    "compare": ("podium.comparison.compare:compare", READ, SHOW),
    "gate": ("podium.cases._gate:gate", "podium.cases.predictions:as_predictions", READ, SHOW),
    "plan": (
        "podium.planning.cases:plan",
        "podium.planning.cases:may_stop",
        "podium.cases.predictions:as_predictions",
        READ,
        SHOW,
    ),
    "order": ("podium.comparison.order:order", "podium.comparison.order:what_if", READ, SHOW),
    "bayes": (
        "podium.bayes._all_pairs:all_pairs",
        "podium.bayes._bradley_terry:bradley_terry",
        "podium.bayes._correlated_t:correlated_t",
        "podium.bayes._decide:decide",
        "podium.bayes._sign:sign",
        READ,
        SHOW,
    ),
    "show": ("podium.evidence._overview:overview", READ, SHOW),
    "verify": ("podium.studies.verify:verify", SHOW),
    "status": ("podium.bench.status:run_status", SHOW),
    "run": ("podium.bench.runner:run", "podium.bench.engines:dask_engine"),
    "collect": ("podium.evidence.results:Results.scores",),
    "export": ("podium.bench.results:results_from_store",),
    "rescore": ("podium.bench._rescore:rescore",),
    "merge": ("podium.bench.merge:merge_stores",),
    "serve": ("podium.web.server:run_server",),
    "cite": ("podium.report.methods:cite",),
    "explain": ("podium.report.methods:explain",),
    "formats": ("podium.reading.registry:log_formats",),
    "schema": ("podium.report.schema:json_schema",),
    "chance value": ("podium.chance.best_of:critical_value", "podium.chance.simulate:simulated_critical_values", SHOW),
    "chance pvalue": ("podium.chance.best_of:pvalue", SHOW),
    "chance table": ("podium.chance.tables:critical_table", SHOW),
    "chance chart": ("podium.plot.chance:chart",),
    "chance plan": (
        *(f"podium.planning.positives:plan_{what}" for what in ("class_balance", "cases", "competitors")),
        SHOW,
    ),
    "chance shuffle": ("podium.chance.checks:label_permutation", "podium.bench.datasets.files:load_file", SHOW),
    "chance trivial": ("podium.chance.checks:trivial_classifiers", "podium.bench.datasets.files:load_file", SHOW),
    "chance test": ("podium.chance.predictions:chance_test", READ, SHOW),
    "study replicability": ("podium.studies._replicability:replicability", READ, SHOW),
    "study pool": ("podium.studies.pool:pool_dependence", READ, SHOW),
    "study power": (
        *(
            f"podium.planning._power:{name}"
            for name in ("power", "datasets_needed", "minimum_detectable", "pool_power")
        ),
        READ,
        SHOW,
    ),
    "study wins": ("podium.stats.pairwise.sign:critical_wins", SHOW),
    "study calibrate": ("podium.studies.calibration:calibrate", READ, SHOW),
}

# Options of the command line that Python says otherwise, and how.
ONLY_THERE = {
    ("compare", "again"): "podium.comparison.reproduce: --from is a word that Python keeps for itself",
    ("gate", "results"): "the outcomes, which come first in Python",
    ("gate", "inconclusive"): "an exit code; Python has GateResult.answer",
    ("gate", "junit"): "podium.report.gate.junit_xml(result, code)",
    ("gate", "github"): "podium.report.gate.annotation(result, code) and step_summary(document)",
    ("plan", "sources"): "the pilot, which comes first in Python",
    ("plan", "anytime"): "podium.planning.may_stop, a function of its own",
    ("order", "what_if"): "podium.comparison.what_if, a function of its own",
    ("order", "wins"): "the result's `wins`",
    ("order", "decisions"): "podium.ordering.order_from_decisions, a function of its own",
    ("bayes", "search_metric"): "bayes.rope_auto(search=...), which takes the scores of that metric",
    ("bayes", "band"): "an option of one model",
    ("bayes", "fold_effect"): "an option of one model",
    ("bayes", "dataset"): "an option of one model",
    ("study power", "effects"): "`effect` where one is looked for",
    ("run", "plan"): "bench.make_plan, a function of its own",
    ("run", "dask"): "bench.dask_engine",
    ("run", "scheduler"): "bench.dask_engine",
    ("run", "quiet"): "watch=None",
    ("serve", "browser"): "opens a program",
    ("chance table", "metrics"): "a table has one metric, the command makes several",
    ("chance shuffle", "learner"): "an estimator in Python",
    ("chance shuffle", "truth"): "labels are an array in Python",
    ("chance trivial", "truth"): "labels are an array in Python",
    ("chance test", "truth"): "labels are an array in Python",
    ("chance test", "algorithms"): "columns are chosen before",
    ("chance plan", "metrics"): "`metric` where one is planned",
    ("merge", "output"): "the target, which comes first in Python",
    ("run", "shard"): "plan.shard(number, count)",
    ("export", "output"): "the file is written by pandas",
    ("collect", "output"): "the file is written by pandas",
    **{(name, "list"): "podium.report.methods.method_names()" for name in ("cite", "explain")},
    ("cite", "text"): "entry(key).text()",
}


def _arguments(home):
    module, _, name = home.partition(":")
    return set(inspect.signature(operator.attrgetter(name)(importlib.import_module(module))).parameters)


def _options(command):
    return [one for one in command.params if one.param_type_name == "option" and not one.name.startswith("help")]


def test_every_command_is_compared_with_python():
    assert set(COMMANDS) == set(PYTHON)
    assert not {pair for pair in ONLY_THERE if pair[1] not in {one.name for one in _options(COMMANDS[pair[0]])}}


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_has_the_name_of_an_argument_in_python(name):
    known = {argument for home in PYTHON[name] for argument in _arguments(home)}
    for option in _options(COMMANDS[name]):
        assert (name, option.name) in ONLY_THERE or option.name in known or _means_reading(option.name, PYTHON[name]), (
            option.name
        )


def _means_reading(option, homes):
    """`read` takes its options as **keywords and checks them."""
    return option == "ask" or (option in READING and READ in homes)  # Python never asks in a terminal


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_declared_in_core_options(name):
    for option in _options(COMMANDS[name]):
        if (name, option.name) in (("compare", "again"), ("plan", "sources")):  # --from, a word of Python
            continue
        assert option.name in OPTIONS, option.name
        assert OPTIONS[option.name].flag in option.opts


def test_read_takes_every_option_of_reading():
    from podium.reading.options import ReadOptions

    assert set(READING) <= set(inspect.signature(ReadOptions).parameters)


def test_words_md_lists_every_option(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from expand import expand

    page = expand((ROOT / "docs/glossary.md").read_text(encoding="utf-8"))
    for option in OPTIONS.values():
        assert f"| `{option.flag}` | `{option.name}` |" in page, option.name
    assert len({*READING, *RUNNING, *OUTPUT}) == len((*READING, *RUNNING, *OUTPUT))


# --- Scripts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["benchmarks", "examples", "docs"])
def test_scripts_import_what_is_there(folder):
    for path in sorted((ROOT / folder).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "podium":
                module = importlib.import_module(node.module)
                for alias in node.names:
                    found = hasattr(module, alias.name) or (Path(module.__file__).parent / f"{alias.name}.py").exists()
                    assert found, f"{path.name}:{node.lineno} {node.module}.{alias.name}"


# --- Three kinds of truth ---------------------------------------------------------------------------------------------

TRUTHS = tomllib.loads((ROOT / "tests" / "truths.toml").read_text(encoding="utf-8"))
KINDS = ("published", "oracle", "property")
METHODS = {
    "tests": (PAIRWISE, "PAIRWISE", KINDS),
    "omnibus": (OMNIBUS, "OMNIBUS", KINDS),
    "corrections": (CORRECTIONS, "CORRECTIONS", KINDS),
    "models": ({**MODELS, **CASE_MODELS}, "MODELS", KINDS),
    "case_metrics": (CASE_METRICS, "METRICS", KINDS),
    "chance_metrics": (chance.METRICS, "METRICS", KINDS),
    "figures": (FIGURES, "FIGURES", ("property",)),
}
# Where a published value comes from: a year, or another program.
SOURCE = re.compile(
    r"(1[89]|20)\d\d|_of_r\b|_r_|\bR\b|scipy|sklearn|scikit|mlxtend|baycomp|multtest|scmamp|tutorial|published|Wainer",
    re.I,
)


def parts_of(path):
    """Every function and constant of a module of tests with its text, and the texts of the helpers that it imports."""
    text = path.read_text(encoding="utf-8")
    tree, lines, before, parts = tree_of(text), text.splitlines(), 0, {}
    for node in tree.body:
        own = "\n".join(lines[before : node.end_lineno])
        before = node.end_lineno or before
        if (
            isinstance(node, ast.ImportFrom)
            and (helper := ROOT / "tests" / f"{(node.module or '').replace('.', '/')}.py").is_file()
        ):
            parts |= {alias.asname or alias.name: (node, helper.read_text(encoding="utf-8")) for alias in node.names}
        elif isinstance(node, ast.FunctionDef):
            parts[node.name] = (node, own)
        elif isinstance(node, ast.Assign):
            parts |= {target.id: (node, own) for target in node.targets if isinstance(target, ast.Name)}
    return parts


def text_of(parts, name):
    """The text of a test with those of the helpers and constants that it uses."""
    texts, waiting = {}, [name]
    while waiting:
        one = waiting.pop()
        if one in parts and one not in texts:
            texts[one] = parts[one][1]
            waiting += re.findall(r"\w+", texts[one])
    return "\n".join(texts.values())


def faults_of_truths(truths):
    """What the table of truths claims and does not hold, and what it lacks without admitting it."""
    for group, (registered, variable, kinds) in METHODS.items():
        for kind in kinds:
            shown = set()
            for place, names in truths.get(group, {}).get(kind, {}).items():
                file, test = place.split("::")
                parts = parts_of(ROOT / "tests" / file) if (ROOT / "tests" / file).is_file() else {}
                if test not in parts:
                    yield f"{place} does not exist"
                    continue
                _, own = parts[test]
                text = f"{place}\n{text_of(parts, test)}"
                if kind == "property" and "given(" not in own and group != "figures":
                    yield f"{place} is no property: it has no @given"
                if kind == "published" and not SOURCE.search(text):
                    yield f"{place} names no source"
                if names == "all" and variable not in text and "registry" not in text:
                    yield f"{place} does not go through {variable}"
                missing = (
                    []
                    if names == "all"
                    else [name for name in names if not re.search(rf"(?<![a-z]){name}(?![a-z])", text)]
                )
                yield from (f"{place} does not name {name}" for name in missing)
                shown |= set(registered) if names == "all" else set(names)
            admitted = set(truths["lacking"].get(group, {}).get(kind, ()))
            yield from (f"{group}: {name} has no {kind} truth" for name in sorted(set(registered) - shown - admitted))
            yield from (
                f"{group}: {name} is listed in vain under {kind}"
                for name in sorted((shown | admitted) - set(registered))
            )
            yield from (f"{group}: {name} no longer lacks {kind}" for name in sorted(admitted & shown))


def test_every_registered_method_has_its_three_kinds_of_truth():
    assert list(faults_of_truths(TRUTHS)) == []


def test_every_method_is_explained_on_a_page():
    """A page of its own in docs/methods, or one that it joins; `podium explain` leads there."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "methods").glob("*.md"))
    blocks = " ".join(re.findall(r"^```\{method\} (.*)$", text, re.MULTILINE)).split()
    named = {*blocks, *re.findall(r"`(?:podium\.)?(bayes\.\w+|(?:\w+\.)?\w+)`", text)}
    named |= {name.split(".")[-1] for name in named if not name.startswith("bayes.")}
    assert [name for name in method_names() if name not in named] == []
    assert [name for name in blocks if name not in method_names()] == []


def test_a_method_without_truth_and_a_false_claim_are_found(monkeypatch):
    monkeypatch.setitem(METHODS, "tests", ({**PAIRWISE, "new_test": None}, "PAIRWISE", KINDS))
    found = list(faults_of_truths(TRUTHS))
    assert [f"tests: new_test has no {kind} truth" for kind in ("published", "oracle")] == found[:2]
    false = {**TRUTHS, "tests": {**TRUTHS["tests"], "oracle": {"stats/test_registry.py::test_nothing": ["sign"]}}}
    assert "stats/test_registry.py::test_nothing does not exist" in list(faults_of_truths(false))


def test_the_tests_that_contributing_names_exist():
    named = re.findall(r"`(tests/\S+\.py)::(\w+)`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert len(named) == 11 + 10  # the slowest, and those that notice what nothing noticed
    assert [name for file, name in named if f"def {name}(" not in (ROOT / file).read_text(encoding="utf-8")] == []


def test_nothing_large_is_kept_and_no_table_lies_at_the_root():
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("only a clone knows which files are kept")
    kept = subprocess.run([git, "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split(
        "\0"
    )
    files = [ROOT / name for name in kept if name and (ROOT / name).is_file()]
    assert not [path.name for path in files if path.parent == ROOT and path.suffix in (".csv", ".json", ".html", ".db")]
    assert not [path.name for path in files if path.stat().st_size > 1_000_000]
