"""Where a new thing goes: each row of ARCHITECTURE.md is tried in a scratch copy, and works with no other edit.

`THINGS` says which files each addition touches. One process then uses all of them; a test below asks for each thing.
"""

import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import podium

ROOT = Path(__file__).parents[1]
BIB = """
@article{doubled2026,
  author = {Ada Doubled},
  title = {Doubled},
  journal = {Journal of Doubling},
  year = {2026}
}
"""

# Thing -> file -> what is added at its end (a file that is not there is made), or (before what it is put, what).
THINGS = {
    "a test of two algorithms": {
        "stats/pairwise/doubled_t.py": '''
            """The t test of twice the differences."""

            from podium.stats.pairwise.pair_result import run_pair
            from podium.stats.pairwise.paired_t import mean_interval, mean_test


            def kernel(differences, *, alternative="two-sided"):
                return mean_test(2 * differences, alternative)


            def estimate(differences, confidence):
                return mean_interval(differences, confidence)


            def doubled_t(x, y, *, alternative="two-sided", confidence=0.95):
                """Is the mean of twice the differences zero?"""
                return run_pair("doubled_t", x, y, alternative=alternative, confidence=confidence)
            ''',
        "stats/registry.toml": (
            "[pairwise.sign]",
            """
            [pairwise.doubled_t]
            over = "datasets"
            phrase = "the doubled t test [@doubled2026]"
            assumes = "As paired_t."
            use = "Never."
            studied = ["power", "calibrate"]
            """,
        ),
        "stats/__init__.pyi": "from .pairwise.doubled_t import doubled_t as doubled_t\n",
        "report/references.bib": BIB,
    },
    "a correction": {
        "stats/corrections/steps.py": '''


            def twice(pvalues):
                """Twice the p-values."""
                return np.minimum(2 * checked(pvalues), 1.0)
            ''',
        "stats/registry.toml": """
            [corrections.twice]
            phrase = "Doubled [@doubled2026]"
            assumes = "Nothing."
            use = "Never."
            """,
        "stats/__init__.pyi": "from .corrections.steps import twice as twice\n",
        "report/references.bib": "",
    },
    "a figure": {
        "plot/dots.py": '''
            """A dot for each algorithm."""

            from podium.plot.figure import figure
            from podium.plot.scene import Circle, sheet_around


            @figure
            def dots(result, *, ax=None, width=None):
                """A dot for each algorithm, in the order of the ranking."""
                shapes = [Circle(12.0 * i, 0.0, 3.0, title=row.algorithm) for i, row in enumerate(result.ranking)]
                return sheet_around(shapes, title="Dots", description="A dot for each algorithm.")
            ''',
        "plot/registry.toml": """
            [dots]
            home = "dots"
            shows = ["Comparison"]
            caption = "A dot for each algorithm."
            of = "Scores"
            about = "ranking"
            """,
        "plot/__init__.pyi": "from .dots import dots as dots\n",
    },
    "a remark": {
        "comparison/remarks.py": """


            @DATASETS.remark("weather", "note")
            def _weather(evidence: DatasetEvidence) -> Iterator[str]:
                yield f"It rained on {evidence.facts.on}."
            """,
    },
    "a rule": {
        "comparison/rules.toml": (
            "[[dataset.rules]]",
            """
            [[dataset.rules]]
            question = "correction"
            answer = "hommel"
            when = "a control is named"
            because = "it is Tuesday"
            """,
        ),
    },
    "a chance metric": {
        "chance/doubled.py": '''
            """Twice the AUC."""

            from podium.chance.auc import AucLaw


            class DoubledLaw(AucLaw):
                """Twice the area under the ROC curve."""

                RANGE = (0, 2)
            ''',
        "chance/registry.toml": (
            "gini =",
            'doubled = { home = "doubled:DoubledLaw", needs = "ranking", label = "doubled", about = "2 AUC" }\n',
        ),
    },
    "a kind of file to read": {
        "reading/formats/pipes.py": '''
            """Cells between pipes."""

            import pandas as pd

            from podium.reading.sheet import Sheet


            def open_pipes(path, options):
                frame = pd.read_csv(path, sep="|")
                return Sheet(header=tuple(frame.columns), frame=frame, label=path.name, stem=path.stem)
            ''',
        "reading/registry.toml": (
            "[formats.json]",
            """
            [formats.pipes]
            told = "pipes"
            home = "pipes:open_pipes"
            endings = [".pipes"]
            """,
        ),
    },
    "logs of another tool": {
        "reading/formats/diary.py": '''
            """Diaries: "DIARY system", then a line "case outcome" each."""


            def is_diary(path, head):
                return head.startswith(b"DIARY ")


            def read_diary(files, log):
                for file in files:
                    first, *lines = file.read_text(encoding="utf-8").splitlines()
                    stream = log.stream(file=file, system=first.split()[1], metric="right", direction="higher", unit="case")
                    for line in lines:
                        case, outcome = line.split()
                        stream.add(case, float(outcome))
            ''',
        "reading/registry.toml": """
            [logs.diary]
            told = "diaries"
            example = ["a.diary", "podium compare diaries/"]
            """,
    },
    "a metric of predictions on cases": {
        "cases/losses.py": '''


            def fourth(truth: Floats, predicted: Floats) -> Floats:
                """The fourth power of the error."""
                return (predicted - truth[:, None]) ** 4
            ''',
        "cases/registry.toml": """
            [fourth_power]
            phrase = "the mean fourth power of the error"
            needs = "numbers"
            kind = "mean"
            home = "losses:fourth"
            direction = "lower"
            """,
    },
    "a unit": {
        "comparison/units/judge.py": '''
            """Marks that judges gave: algorithms compared over judges."""

            from dataclasses import dataclass, replace

            import numpy as np
            import pandas as pd

            from podium.comparison.comparison import Extra, Words
            from podium.comparison.facts import Facts, measured
            from podium.comparison.reviewer import Reviewer
            from podium.comparison.unit import Standing, Unit
            from podium.core.metric import Metric
            from podium.core.named import ByAlgorithm
            from podium.evidence._overview import overview
            from podium.evidence.evidence import metric_from_plain, names_of, numbers_of, plain_fields
            from podium.evidence.scores import Scores
            from podium.evidence.table import Table
            from podium.stats.posthoc.all_pairs import all_pairs


            @dataclass(frozen=True, slots=True, kw_only=True, eq=False)
            class Marks(ByAlgorithm):
                values: np.ndarray
                judges: tuple
                algorithms: tuple
                metric: Metric
                notes: tuple = ("Marks of judges.",)
                reading: None = None

                @property
                def unit(self):
                    return "judge"

                @property
                def rows(self):
                    return self.judges

                def select(self, algorithms):
                    return replace(self, values=self.values[:, self.places(algorithms)], algorithms=tuple(algorithms))

                def table(self):
                    return Table(values=self.values, datasets=self.judges, algorithms=self.algorithms, metric=self.metric)

                def to_plain(self):
                    return plain_fields(self, "judges")

                @classmethod
                def from_plain(cls, data):
                    return cls(**names_of(data, "judges algorithms notes"), **numbers_of(data, "values"), metric=metric_from_plain(data["metric"]))


            def read_marks(path, options):
                frame = pd.read_csv(path, index_col=0)
                names = {"judges": tuple(frame.index), "algorithms": tuple(frame.columns)}
                return Marks(values=frame.to_numpy(float), metric=Metric(name="mark", direction="higher"), **names)


            @dataclass(frozen=True, slots=True, kw_only=True)
            class JudgeFacts(Facts):
                unit: str = "judge"
                n_judges: int

                @property
                def on(self):
                    return f"{self.n_judges} judges"

                @property
                def design(self):
                    return "one mark each"


            class JudgeUnit(Unit):
                name = "judge"
                reviewer = Reviewer()

                @property
                def evidence(self):
                    return self.original

                @property
                def table(self):
                    return self.original.table()

                @property
                def facts(self):
                    return JudgeFacts(**measured(self.original.metric, self.original, self.asked["control"]), n_judges=len(self.original.judges))

                @property
                def pairs(self):
                    return all_pairs(self.table, test="sign", control=self.asked["control"], correction="holm")

                @property
                def standing(self):
                    means = self.original.values.mean(axis=0)
                    medians = np.median(self.original.values, axis=0)
                    judges = np.full(len(means), len(self.original.judges))
                    return Standing(places=-means, columns={"mean_score": means, "median_score": medians, "datasets": judges})

                @property
                def own_quantity(self):
                    return self.original.metric.quantity(self.original.values)

                @property
                def words(self):
                    return Words(
                        row="judge", rows="judges", key="judges", title="Judge", n_rows=len(self.original.judges), each="one mark each",
                        by="mean mark", won="judges for the first, for neither, for the second",
                        measured="mark", data="The marks.", printed="Judge", test="The sign test", elsewhere="Other judges may think otherwise.",
                    )

                @property
                def extras(self):
                    return (Extra(key="harshest", section="judges", title="Judges", sentences=("The harshest judge is the first.",)),)

                def on_what(self):
                    return f"Metric: marks of {self.facts.on}{' in a harsh mood' if self.asked['mood'] == 'harsh' else ''}."

                def methods(self):
                    return "Judges were asked [@demsar2006]."

                @staticmethod
                def overview(given, *, list_missing=False):
                    return [overview(Scores.without_folds(given.table()), list_missing=list_missing)]
            ''',
        "core/units.toml": """
            [judge]
            evidence = "podium.comparison.units.judge:Marks"
            home = "podium.comparison.units.judge:JudgeUnit"
            compared = "over judges"
            reader = "podium.comparison.units.judge:read_marks"
            """,
    },
    "an option": {
        "core/options.toml": (
            "control = {",
            """
            mood = { kind = "choice", label = "Mood", help = "In what mood the judges are.", choices = ["mild", "harsh"], units = ["judge"] }
            """,
        ),
        "comparison/compare.py": ("    blocks: Blocks", "    mood: str | None = None,\n"),
    },
    "a learner": {
        "bench/learners/catalog.toml": (
            "[wainer.gbm]",
            """
            [wainer.stump]
            path = "sklearn.tree.DecisionTreeClassifier"
            title = "Stump"
            params = { max_depth = 1 }
            """,
        ),
    },
}

# What a newcomer would do with each: prints one line of JSON.
USES = """
import io, json, sys, tempfile
from contextlib import redirect_stdout
from pathlib import Path
import numpy as np, pandas as pd
import podium

folder = Path(tempfile.mkdtemp())
said = {}


def command(*words):
    from podium.cli.main import app
    shown = io.StringIO()
    with redirect_stdout(shown):
        app([*words], standalone_mode=False)
    return shown.getvalue()


noise = np.random.default_rng(3)
table = pd.DataFrame(noise.normal(size=(14, 3)) * 0.02 + [0.6, 0.7, 0.9], columns=["a", "b", "c"])
table.insert(0, "dataset", [f"d{i}" for i in range(14)])
plain = podium.compare(table, direction="higher")

found = podium.compare(table, direction="higher", test="doubled_t")
folds = pd.DataFrame(
    [(d, a, f, s + 0.01 * ((7 * f + 3 * i) % 5)) for i, d in enumerate(table.dataset) for a in "abc" for f in range(3)
     for s in [table[a][i]]], columns=["dataset", "algorithm", "fold", "accuracy"])
from podium.report.documents import document
from podium.report.render_text import render_text
study = podium.planning.power(tests=["doubled_t"], effects=[1.0], sizes=[10], draws=50)
from podium.core.options import OPTIONS
said["a test of two algorithms"] = {
    "compare": found.methods_paragraph,
    "same": found.pairs.pair("a", "b").pvalue == podium.stats.paired_t(table.a, table.b).pvalue,
    "report": render_text(document(found)),
    "studies": study.tests,
    "usual": podium.planning.power(effects=[1.0], sizes=[10], draws=20).tests,
    "explain": command("explain", "doubled_t"),
    "cite": command("cite", "doubled_t"),
    "options": OPTIONS["test"].allowed(),
    "public": podium.stats.doubled_t(table.a, table.b).pvalue,
    "order": podium.order(folds, metric="accuracy", cost={"a": 1, "b": 2, "c": 3}, posthoc="doubled_t").order,
}
said["a correction"] = {
    "adjust": podium.stats.adjust([0.1, 0.2], "twice").tolist(),
    "compare": podium.compare(table, direction="higher", correction="twice").methods_paragraph,
    "explain": command("explain", "twice"),
    "cite": command("cite", "twice"),
    "public": podium.stats.twice([0.1]).tolist(),
    "options": OPTIONS["correction"].allowed(),
}
podium.plot.dots(plain).save(folder / "dots.svg")
podium.plot.dots(plain).save(folder / "dots.tikz")
said["a figure"] = {
    "svg": (folder / "dots.svg").read_text(encoding="utf-8"),
    "tikz": (folder / "dots.tikz").read_text(encoding="utf-8"),
    "report": [block.key for section in document(plain).sections for block in section.blocks if hasattr(block, "figure")],
}
said["a remark"] = [remark.sentence for remark in plain.remarks]
chosen = podium.compare(table, direction="higher", control="a")
said["a rule"] = [chosen.choice("correction"), [c.because for c in chosen.choices], plain.choice("correction")]
said["a chance metric"] = {
    "twice": [podium.chance.critical_value(m, positives=8, negatives=9, competitors=5).critical_value for m in ("auc", "doubled")],
    "command": command("chance", "value", "--metric", "doubled", "--positives", "8", "--negatives", "9", "--json", "-"),
}
(folder / "t.pipes").write_text(table.to_csv(index=False, sep="|"), encoding="utf-8")
said["a kind of file to read"] = podium.read(folder / "t.pipes", direction="higher").scores().algorithms
logs = folder / "diaries"
logs.mkdir()
for name in ("x", "y"):
    outcomes = "\\n".join(f"case{i} {(i + len(name)) % 2}" for i in range(8))
    (logs / f"{name}.diary").write_text(f"DIARY {name}\\n{outcomes}\\n", encoding="utf-8")
said["logs of another tool"] = [podium.read(logs).algorithms, command("formats")]
truth = noise.normal(size=30)
predicted = pd.DataFrame({"a": truth + 0.1, "b": truth + noise.normal(size=30)})
said["a metric of predictions on cases"] = podium.compare(predicted, truth=truth, metric="fourth_power").ranking[0].algorithm
from podium.comparison.units.judge import read_marks
from podium.comparison.compare import reproduce
from podium.core.units import UNITS
from podium.report.notebook import result_html
from podium.report.render_json import render_json
from podium.report.render_html import render_html
(folder / "marks.csv").write_text(table.set_index("dataset").to_csv(), encoding="utf-8")
marks = read_marks(folder / "marks.csv", None)
judged = podium.compare(marks)
refused = ""
try:
    podium.compare(marks, aggregate="mean")
except podium.PodiumError as error:
    refused = str(error)
from podium.web.reading import look
from podium.web.settings import Limits
from podium.web.tasks import compare as compare_upload
from podium.web.uploads import Upload
file, as_judges = str(folder / "marks.csv"), ("--unit", "judge")
upload = Upload(name="marks.csv", content=(folder / "marks.csv").read_bytes())
page = {"upload": upload, "reading": {"unit": "judge"}, "limits": Limits()}
said["a unit"] = {
    "compare_command": json.loads(command("compare", file, *as_judges, "--json", "-", "--ask", "never"))["verdict"]["kind"],
    "show_command": command("show", file, *as_judges),
    "looked": look(**page),
    "page_compared": compare_upload(**page, settings={"cost": None}, changes="", forms=("json",))["page"]["unit"],
    "verdict": [judged.verdict.kind, *judged.verdict.sentences],
    "report": render_text(document(judged)),
    "json": json.loads(render_json(document(judged)))["facts"]["unit"],
    "html": "The harshest judge" in render_html(document(judged)),
    "notebook": len(result_html(judged)),
    "show": UNITS["judge"].load().overview(marks)[0].summary(),
    "page": UNITS["judge"].load().recognised(marks)["algorithms"],
    "again": reproduce(judged.repeatable()).verdict.headline == judged.verdict.headline,
    "refused": refused,
}
moody = command("compare", file, *as_judges, "--mood", "harsh", "--json", str(folder / "moody.json"), "--ask", "never")
repeated = command("compare", "--from", str(folder / "moody.json"), "--json", "-")
refused = ""
try:
    podium.compare(table, direction="higher", mood="mild")
except podium.PodiumError as error:
    refused = str(error)
said["an option"] = {
    "stored": json.loads((folder / "moody.json").read_text(encoding="utf-8"))["repeat"]["settings"]["mood"],
    "repeated": json.loads(repeated)["verdict"]["on_what"],
    "refused": refused,
}
from podium.bench.learners.catalog import LEARNERS
said["a learner"] = LEARNERS["stump"].title
print(json.dumps(said, default=str))
"""


def added(package):
    """Every addition, into a copy of the package."""
    for files in THINGS.values():
        for name, text in files.items():
            path, before = package / name, ""
            if isinstance(text, tuple):
                before, text = text
            old, new = path.read_text(encoding="utf-8") if path.exists() else "", textwrap.dedent(text)
            assert before in old, (name, before)
            path.write_text(old.replace(before, f"{new}{before}", 1) if before else old + new, encoding="utf-8")


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scratch")
    shutil.copytree(Path(podium.__file__).parent, folder / "podium", ignore=shutil.ignore_patterns("__pycache__"))
    added(folder / "podium")
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run([sys.executable, "-c", USES], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_a_test_of_two_algorithms_is_one_file_one_entry_and_one_reference(said):
    found = said["a test of two algorithms"]
    assert "the doubled t test [@doubled2026]" in found["compare"]
    assert found["same"]
    assert {"doubled_t", "Doubling"} <= set(found["report"].replace(".", " ").split())
    assert found["studies"] == ["doubled_t"]
    assert "doubled_t" in found["usual"]
    assert "Never." in found["explain"]
    assert "Ada Doubled" in found["cite"]
    assert "doubled_t" in found["options"]
    assert 0 < found["public"] < 1
    assert sorted(found["order"]) == ["a", "b", "c"]


def test_a_correction_is_one_function_one_entry_and_one_reference(said):
    found = said["a correction"]
    assert found["adjust"] == [0.2, 0.4]
    assert "adjusted with Doubled's procedure [@doubled2026]" in found["compare"]
    assert "Never." in found["explain"]
    assert "Ada Doubled" in found["cite"]
    assert found["public"] == [0.2]
    assert "twice" in found["options"]


def test_a_figure_is_one_file_and_one_entry(said):
    found = said["a figure"]
    assert found["svg"].count("<circle") == 3
    assert "tikzpicture" in found["tikz"]
    assert "dots" in found["report"]


def test_a_remark_is_one_function(said):
    assert "It rained on 14 datasets." in said["a remark"]


def test_a_rule_is_one_entry(said):
    answer, reasons, otherwise = said["a rule"]
    assert (answer, otherwise) == ("hommel", "holm")
    assert "it is Tuesday" in reasons


def test_a_chance_metric_is_one_file_and_one_entry(said):
    auc, doubled = said["a chance metric"]["twice"]
    assert doubled == pytest.approx(2 * auc)
    assert '"doubled"' in said["a chance metric"]["command"]


def test_a_reader_is_one_file_and_one_entry(said):
    assert said["a kind of file to read"] == ["a", "b", "c"]


def test_logs_of_another_tool_are_one_file_and_one_entry(said):
    systems, formats = said["logs of another tool"]
    assert systems == ["x", "y"]
    assert "diaries" in formats


def test_a_metric_of_cases_is_one_function_and_one_entry(said):
    assert said["a metric of predictions on cases"] == "a"


def test_a_unit_is_one_file_and_one_entry(said):
    found = said["a unit"]
    assert found["verdict"][0] == "one_winner"
    assert "Metric: marks of 14 judges." in found["verdict"]
    assert "The harshest judge is the first." in found["report"]
    assert found["json"] == "judge"
    assert found["html"]
    assert found["notebook"]
    assert found["show"]
    assert found["page"] == ["a", "b", "c"]
    assert found["again"]
    assert "these are compared over judges" in found["refused"]
    assert found["compare_command"] == "one_winner"
    assert "on 14 judges, by mark (higher is better)" in " ".join(found["show_command"].split())
    assert (found["looked"]["unit"], found["looked"]["question"]) == ("judge", None)
    assert found["page_compared"] == "judge"


def test_an_option_of_compare_is_stored_and_repeated(said):
    found = said["an option"]
    assert found["stored"] == "harsh"
    assert "in a harsh mood" in found["repeated"]
    assert "`mood` is for algorithms that are compared over judges" in found["refused"]


def test_a_learner_is_one_entry(said):
    assert said["a learner"] == "Stump"


def test_architecture_says_which_files_are_touched():
    """The table names the folder, or the file, of everything that is added above."""
    table = (
        (ROOT / "ARCHITECTURE.md")
        .read_text(encoding="utf-8")
        .partition("\n| thing | place |\n")[2]
        .partition("\n\n")[0]
    )
    rows = table.splitlines()[1:]
    for thing, files in THINGS.items():
        row = next(row for row in rows if row.startswith(f"| {thing}"))
        for name in files:
            assert f"`{name}`" in row or f"`{Path(name).parent.as_posix()}/`" in row, (thing, name)
    for row in rows:
        for name in [part for part in row.split("`")[1::2] if "/" in part]:
            place = ROOT / name if name.startswith(("docs/", "tests/")) else Path(podium.__file__).parent / name
            assert place.exists(), name
