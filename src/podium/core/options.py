"""Every option of reading scores and of analysing them, declared once: plain data.

The command line makes its options from it, the page its fields, a recipe its command line; a test compares the names
with the arguments in Python. An option is called the same everywhere: `missing_marker` in Python, `--missing-marker`
on the command line, "Missing is written as" beside the field of the page.

    >>> OPTIONS["missing_marker"].flag, OPTIONS["missing_marker"].label
    ('--missing-marker', 'Missing is written as')
    >>> command_words({"metric": ["auc"], "direction": "lower", "percent": True, "rng": 0})
    ['--metric', 'auc', '--direction', 'lower', '--percent', '--rng', '0']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from podium.core.check import refused

READING_PANEL, OUTPUT_PANEL = "Reading the scores", "Output"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """What one option is called, takes and means.

    `kind` is "text", "name" (of an algorithm, a dataset or a metric), "column", "file", "number", "fraction" (between
    0 and 1), "whole", "flag" or "choice". `choices` are words, or the place of a registry ("module:NAME") that is
    looked up only when it is needed, of which only the tests `over` such evidence count. `many`: it may be given
    several times. `word` is taken besides a number.
    """

    name: str
    kind: str
    help: str
    default: Any = None
    choices: tuple[str, ...] | str = ()
    over: tuple[str, ...] = ()
    many: bool = False
    word: str = ""
    label: str = ""
    panel: str = ""
    short: str = ""
    metavar: str = ""

    @property
    def flag(self) -> str:
        """The option on the command line."""
        return "--" + self.name.replace("_", "-")

    def allowed(self) -> tuple[str, ...]:
        """The words that it can be; empty where anything is allowed."""
        if not isinstance(self.choices, str):
            return self.choices
        module, _, name = self.choices.partition(":")
        registry = getattr(import_module(module), name)
        return tuple(word for word, entry in registry.items() if not self.over or entry.over in self.over)


def _reading(name: str, kind: str, help: str, label: str, **more: Any) -> Option:
    return Option(name=name, kind=kind, help=help, label=label, panel=READING_PANEL, **more)


def _column(role: str, label: str, help: str = "", **more: Any) -> Option:
    return _reading(f"{role}_column", "column", help or f"The column of {role}s.", label, **more)


_READING = (
    _reading(
        "metric",
        "name",
        "What the scores measure; which metric to use.",
        "What the scores measure",
        many=True,
        short="-m",
    ),
    _reading(
        "direction",
        "text",
        "Which scores are better: higher or lower; loss=lower for one of several metrics.",
        "Better is",
        many=True,
        metavar="[METRIC=]WORD",
    ),
    _reading("layout", "choice", "The shape of the table.", "Shape", default="auto", choices=("auto", "wide", "long")),
    _reading(
        "rows",
        "choice",
        "What the rows of a wide table are.",
        "Rows are",
        default="auto",
        choices=("auto", "datasets", "algorithms"),
    ),
    _column("algorithm", "Algorithms are in"),
    _column("dataset", "Datasets are in"),
    _column("fold", "Folds are in"),
    _column("repeat", "Repeats are in"),
    _column("seed", "Seeds are in", "The column of seeds, used as repeats."),
    _column("metric", "Metrics are in"),
    _column("value", "Scores are in", "The column (or columns) of scores.", many=True),
    _column("family", "Families are in", "The column of families: datasets of one origin."),
    _column("message", "Messages are in", "The column of failure messages."),
    _column("ignore", "Leave out columns", "A column to leave out.", many=True, default=()),
    _reading(
        "dataset_name",
        "text",
        "The name of the only dataset, where the file does not say it.",
        "Name of the dataset",
    ),
    _reading(
        "missing_marker",
        "text",
        "A text that means missing, besides blank, NA, nan, ?, - and --.",
        "Missing is written as",
        many=True,
        default=(),
        metavar="TEXT",
    ),
    _reading("decimal_comma", "flag", "Read 0,842 as 0.842.", "Decimal comma", default=False),
    _reading("percent", "flag", "Read 84.2% as 84.2.", "Percent signs", default=False),
    _reading(
        "mean_sd", "flag", "Keep the mean of 68.4(7.1) and 68.4 ± 7.1.", "Mean and deviation in one cell", default=False
    ),
    _reading("footnotes", "flag", "Drop the marks of 0.842 (1) and 0.842*.", "Footnote marks", default=False),
    _reading(
        "text_as_missing",
        "flag",
        "A text in place of a number is a failure, kept as its message.",
        "Texts are failures",
        default=False,
    ),
    _reading(
        "summaries",
        "choice",
        'What to do with "Average", "Mean rank" and the like: refuse, drop or keep them.',
        "Summary rows and columns",
        default="ask",
        choices=("ask", "drop", "keep"),
    ),
    _reading("repeats", "whole", "How many repeats numbered columns are made of.", "Number of repeats"),
    _reading("test_fraction", "fraction", "The share of test cases, if it was not cross-validation.", "Share tested"),
    _reading("encoding", "text", "The encoding of a text file: utf-8, cp1252, ...", "Encoding", metavar="NAME"),
    _reading(
        "separator", "text", "The sign between the cells of a text file; tab for tabs.", "Separator", metavar="SIGN"
    ),
    _reading("sheet", "text", "The sheet of an Excel file.", "Sheet", metavar="NAME"),
)

_ANALYSIS = (
    Option(
        name="algorithms",
        kind="name",
        help="Take only these algorithms (give it several times).",
        many=True,
        label="Algorithms",
    ),
    Option(name="control", kind="name", help="Compare every algorithm with this one only.", label="Control"),
    Option(
        name="rope",
        kind="number",
        help="Differences up to this (in the metric's units) do not matter; auto takes it from the folds.",
        word="auto",
        label="Differences that do not matter",
    ),
    Option(
        name="cost",
        kind="text",
        help="What algorithms cost: a metric of the scores, a FILE, svm=3,knn=1, or names, cheapest first.",
        label="Cost",
    ),
    Option(
        name="test",
        kind="choice",
        help="The test of two algorithms.",
        choices="podium.stats.registry:PAIRWISE",
        label="Test",
    ),
    Option(
        name="omnibus",
        kind="choice",
        help="The test of all algorithms at once.",
        choices="podium.stats.registry:OMNIBUS",
        label="Omnibus test",
    ),
    Option(
        name="correction",
        kind="choice",
        help="How p-values are adjusted for several comparisons.",
        choices="podium.stats.registry:CORRECTIONS",
        label="Correction",
    ),
    Option(
        name="missing",
        kind="choice",
        help="What becomes of missing cells: each pair takes the datasets it has, or only complete datasets count.",
        choices=("pairwise", "complete"),
        label="Missing cells",
    ),
    Option(name="alpha", kind="fraction", help="The level of significance.", default=0.05, label="Level"),
    Option(name="confidence", kind="fraction", help="The confidence of intervals.", default=0.95, label="Confidence"),
    Option(
        name="rng",
        kind="whole",
        help="The seed of what is drawn: equal seeds give equal numbers, on any number of cores.",
        default=0,
        label="Seed",
        metavar="SEED",
    ),
    Option(
        name="draws",
        kind="whole",
        help="How many are drawn, where something is drawn at random.",
        label="Draws",
    ),
    Option(
        name="model",
        kind="choice",
        help="The model.",
        choices="podium.bayes.registry:MODELS",
        default="anova",
        label="Model",
    ),
    Option(name="dataset", kind="name", help="The dataset, for a model of one dataset.", label="Dataset"),
    Option(
        name="search_metric",
        kind="name",
        help="The metric that the search of hyperparameters promised, for an automatic rope.",
        label="Metric of the search",
    ),
    Option(
        name="probability",
        kind="fraction",
        help="A verdict needs a probability above this.",
        default=0.95,
        label="Probability of a verdict",
    ),
    Option(
        name="band",
        kind="number",
        help="bradley_terry: equivalent if each beats the other with probability 1/2 ± this.",
        default=0.05,
        label="Band of equivalence",
    ),
    Option(
        name="fold_effect",
        kind="number",
        help="bradley_terry: a tie within so many standard deviations of the folds (0.4).",
        default=0.0,
        label="Ties within",
    ),
    Option(
        name="posthoc",
        kind="choice",
        help="The test over datasets; nemenyi is that of the paper.",
        default="nemenyi",
        choices="podium.stats.registry:PAIRWISE",
        over=("datasets", "pool"),
        label="Test over datasets",
    ),
    Option(
        name="weights",
        kind="number",
        help="The weight of each cost; without weights the first cost decides, then the next.",
        many=True,
        label="Weights",
        metavar="W,W,...",
    ),
    Option(
        name="what_if",
        kind="flag",
        help="Also show the order under each cost alone, those of the scores included.",
        default=False,
        label="Each cost alone",
    ),
    Option(name="all_holes", kind="flag", help="Name every missing cell.", default=False, label="Every missing cell"),
    Option(
        name="failures",
        kind="flag",
        help="List every task that failed, with its message.",
        default=False,
        label="Every failure",
    ),
    Option(name="a", kind="name", help="The first algorithm; by default the first column.", label="First algorithm"),
    Option(name="b", kind="name", help="The second algorithm; by default the next column.", label="Second algorithm"),
    Option(
        name="tests",
        kind="choice",
        help="A test to study (give it several times for several).",
        many=True,
        choices="podium.stats.registry:PAIRWISE",
        label="Tests",
    ),
    Option(name="size", kind="whole", help="Datasets in a sample.", default=10, label="Datasets in a sample"),
    Option(
        name="sizes", kind="whole", help="A number of datasets (give it several times).", many=True, label="Datasets"
    ),
    Option(
        name="biases",
        kind="number",
        help="A bias towards the first algorithm; by default 0 to 20.",
        many=True,
        label="Biases",
    ),
    Option(
        name="effects",
        kind="number",
        help="A true difference (give it several times for several).",
        many=True,
        label="True differences",
    ),
    Option(name="wanted", kind="fraction", help="The power that is wanted.", label="Power wanted"),
    Option(
        name="shape",
        kind="choice",
        help="The shape of the differences, without FILE.",
        default="normal",
        choices=("normal", "heavy", "tied", "skewed"),
        label="Shape of the differences",
    ),
    Option(
        name="shapes",
        kind="choice",
        help="A shape of the scores, without FILE (give it several times).",
        many=True,
        choices=("normal", "heavy", "tied", "skewed"),
        label="Shapes of the scores",
    ),
    Option(
        name="spread",
        kind="number",
        help="The standard deviation of the differences, without FILE.",
        default=1.0,
        label="Standard deviation",
    ),
    Option(
        name="folds",
        kind="whole",
        help="Count scores of cross-validation with so many folds on one dataset.",
        label="Folds",
    ),
    Option(
        name="n_algorithms",
        kind="whole",
        help="How many algorithms, for tests of many.",
        default=5,
        label="Algorithms",
    ),
    Option(
        name="configurations",
        kind="choice",
        help="Which algorithms are equal (give it several times).",
        many=True,
        choices=("all equal", "all but one equal"),
        label="Equal are",
    ),
)
_CHANCE = (
    Option(name="positives", kind="whole", help="Positive test cases.", default=..., short="-P", label="Positives"),
    Option(name="negatives", kind="whole", help="Negative test cases.", default=..., short="-N", label="Negatives"),
    Option(
        name="competitors",
        kind="whole",
        help="How many were tried, the losers included.",
        default=1,
        short="-C",
        label="Competitors",
    ),
    Option(
        name="metrics", kind="name", help="A metric (give it several times).", many=True, short="-m", label="Metrics"
    ),
    Option(name="alphas", kind="fraction", help="Levels of significance.", many=True, label="Levels"),
    Option(name="score", kind="number", help="The winner's score, or one that is planned.", label="Score"),
    Option(
        name="unattainable",
        kind="choice",
        help="What to do with a score that no ranking can get: refuse it, or take the nearest or the one below.",
        default="error",
        choices=("error", "nearest", "below"),
        label="A score that cannot be got",
    ),
    Option(name="workers", kind="whole", help="How many processes compute; by default one per core.", label="Workers"),
    Option(
        name="kind",
        kind="choice",
        help="What the chart shows.",
        default="contours",
        choices=("surface", "contours", "cdf", "competitors"),
        label="Chart",
    ),
    Option(name="cases", kind="whole", help="Labelled cases: which mix and metric are easiest?", label="Cases"),
    Option(name="share", kind="fraction", help="The share of positives.", default=0.5, label="Share of positives"),
    Option(name="auc", kind="fraction", help="A true AUC, to compare the power of metrics.", label="True AUC"),
    Option(name="label", kind="column", help="The column of labels.", default="y_true", label="Labels are in"),
    Option(
        name="positive", kind="text", help="The positive label, unless the labels are 0 and 1.", label="Positive label"
    ),
    Option(
        name="ties",
        kind="choice",
        help="How ties count: broken against the algorithm (valid), or as the expected (usual) score.",
        default="worst",
        choices=("worst", "expected"),
        label="Ties",
    ),
)


def _output(name: str, what: str, **more: Any) -> Option:
    return Option(name=name, kind="file", help=f"{what} (- prints it).", panel=OUTPUT_PANEL, **more)


_OUTPUT = (
    _output("html", "Write one self-contained page"),
    _output("md", "Write Markdown"),
    _output("latex", "Write LaTeX to a file that ends in .tex, or the parts of a paper to a folder"),
    _output("json", "Write everything as JSON"),
    _output("csv", "Write the main table as CSV"),
    Option(
        name="figures",
        kind="file",
        help="Write every figure as PDF, SVG and TikZ to a folder.",
        metavar="FOLDER",
        panel=OUTPUT_PANEL,
    ),
    Option(name="quiet", kind="flag", help="Do not print the report.", default=False, short="-q", panel=OUTPUT_PANEL),
)

OPTIONS: dict[str, Option] = {option.name: option for option in (*_READING, *_ANALYSIS, *_CHANCE, *_OUTPUT)}


def changed(name: str, **fields: Any) -> Option:
    """An option that is a little different in one place."""
    return replace(OPTIONS[name], **fields)


def several(name: str, *defaults: Any) -> Option:
    """An option that can be given several times, or as a list."""
    return changed(name, many=True, default=defaults)


def these(*names: str | Option, over: tuple[str, ...] = (), **defaults: Any) -> tuple[Option, ...]:
    """Options by name, some with another default (`...`: it must be given); tests only `over` such evidence."""
    chosen = []
    for option in (OPTIONS[name] if isinstance(name, str) else name for name in names):
        here = over if option.name in ("test", "tests") else option.over
        chosen.append(replace(option, over=here, default=defaults.get(option.name, option.default)))
    return tuple(chosen)


READING = tuple(option.name for option in _READING)
OUTPUT = tuple(option.name for option in _OUTPUT)
COMPARING = (
    "algorithms",
    "control",
    "rope",
    "cost",
    "test",
    "omnibus",
    "correction",
    "missing",
    "alpha",
    "confidence",
    "rng",
)
ORDERING = ("weights", "test", "posthoc", "correction", "alpha")
BAYES = ("model", "rope", "search_metric", "dataset", "probability", "band", "fold_effect", "draws", "rng")


def as_flag(name: str) -> str:
    """An option's name as the command line writes it; other words stand in backquotes."""
    return "--" + name.replace("_", "-") if name.isidentifier() else f"`{name}`"


def command_words(given: Mapping[str, Any]) -> list[str]:
    """Options with their values, as words of a command line; None and False are left out."""
    words: list[str] = []
    for name, value in given.items():
        if isinstance(value, Mapping):
            value = [f"{key}={item}" for key, item in value.items()]
        for item in value if isinstance(value, list | tuple) else [value]:
            if item is True:
                words.append(as_flag(name))
            elif item is not None and item is not False:
                words += [as_flag(name), "tab" if item == "\t" else str(item)]
    return words


def numbers(name: str, texts: Sequence[str]) -> list[float]:
    """Numbers that were typed, with commas between: "0.2,0.5" is 0.2 and 0.5."""
    try:
        return [float(part) for text in texts for part in text.split(",")]
    except ValueError:
        raise refused(name, ",".join(texts), "must be numbers separated by commas") from None


def whole_numbers(name: str, texts: Iterable[str]) -> list[int]:
    """Whole numbers and ranges that were typed, with commas between: "10,20:40:10" is 10, 20, 30 and 40."""
    found: list[int] = []
    for part in (part for text in texts for part in text.split(",") if part):
        try:
            first, last, step = _range([int(end) for end in part.split(":")])
        except ValueError:
            raise refused(name, part, "must be whole numbers and ranges such as 10:100:10") from None
        found += range(first, last + 1, step)
    return found


def _range(ends: list[int]) -> tuple[int, int, int]:
    first, last, step = (*ends, ends[0], 1)[:3] if len(ends) == 1 else (*ends, 1)[:3]
    if len(ends) > 3:
        raise ValueError("a range has two ends and a step")
    if step < 1:
        raise ValueError("a step must go forward")
    return first, last, step


def as_direction_option(texts: Sequence[str]) -> str | dict[str, str] | None:
    """Directions that were typed: "lower" for the metric, or "loss=lower" for one of several."""
    pairs = [text.rpartition("=") for text in texts]
    if all(equals and name for name, equals, _ in pairs):
        return {name: word for name, _, word in pairs} or None
    if len(texts) > 1:
        raise refused("direction", list(texts), "must be one word, or METRIC=higher or METRIC=lower each")
    return texts[0]
