"""Results show themselves in notebooks: the example notebook runs, every kind of result renders, and names are escaped."""

import importlib
import json
import pkgutil
import re
from pathlib import Path

import nbclient
import nbformat
import numpy as np
import pandas as pd
import pytest

import podium
from podium.chance.labels import label_luck
from podium.core.result import Result
from podium.report.documents import document
from podium.report.render_json import render_json
from report.schemas import check_schema

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook" / "podium.ipynb"
EVIL = "<b>&x</b>"  # an algorithm whose name would be markup


def test_the_notebook_holds_no_outputs():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(cells) >= 8
    assert all(cell.outputs == [] and cell.execution_count is None for cell in cells)


# jupyter_client and pyzmq speak of deprecations of their own.
@pytest.mark.filterwarnings("ignore")
def test_the_notebook_runs_and_its_results_show_themselves(tmp_path):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output.data for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    assert sum("text/html" in data for data in shown) >= 6
    assert any("image/svg+xml" in data for data in shown)
    assert any("C3 ranks first" in data.get("text/html", "") for data in shown)


@pytest.fixture(scope="module")
def results():
    """A sample of all kinds of results, on algorithms with a name that is markup."""
    rng = np.random.default_rng(0)
    names = [EVIL, "b", "c"]
    table = pd.DataFrame(rng.normal(loc=(0, 0.5, 1), size=(12, 3)), columns=names)
    x, y = table[EVIL].to_numpy(), table["b"].to_numpy()
    folds = rng.normal(size=(2, 5, 2))
    rows = [
        (d, a, r, f, m, float(rng.uniform(1, 2)))
        for d in ("p", "q", "r", "s")
        for a in names
        for r in range(5)
        for f in range(2)
        for m in ("accuracy", "train_time")
    ]
    columns = ["dataset", "algorithm", "repeat", "fold", "metric", "value"]
    long = podium.read(pd.DataFrame(rows, columns=columns), direction={"train_time": "lower"})
    scores, costs = long.scores("accuracy"), long.scores("train_time")
    pairs = podium.stats.all_pairs(table)
    posterior = podium.bayes.all_pairs(table, model="sign", rope=0.1, rng=0)
    truth = np.repeat([0, 1], 20)
    compared = podium.compare(table, direction="higher", rows="datasets")
    return [
        *(getattr(podium.stats, test)(x, y) for test in ("wilcoxon", "sign", "paired_t", "permutation")),
        *(getattr(podium.stats, test)(np.exp(x), np.exp(y)) for test in ("relative_t", "geometric_ratio")),
        podium.stats.equivalence(x, y, rope=1.0),
        podium.stats.corrected_t(*folds),
        podium.stats.kfold_t(folds[0].ravel(), folds[1].ravel()),
        podium.stats.cv5x2_t(*folds),
        podium.stats.cv5x2_f(*folds),
        podium.cases.mcnemar(truth, truth, 1 - truth),
        *(
            getattr(podium.stats, test)(table)
            for test in ("friedman", "anova", "quade", "aligned_ranks", "skillings_mack")
        ),
        *(getattr(podium.stats, test)(table) for test in ("nemenyi", "mean_ranks", "rank_sums", "conover", "tukey")),
        podium.stats.bonferroni_dunn(table, EVIL),
        podium.stats.dunnett(table, EVIL),
        pairs,
        podium.stats.versus_control(table, EVIL),
        podium.stats.groups(pairs),
        podium.stats.rank_intervals(pairs),
        podium.stats.effect_sizes(x, y, rng=0),
        podium.stats.cohen_dz(x, y),
        podium.ordering.multitest(scores, costs, dataset="p"),
        podium.ordering.multi2test(scores, costs),
        podium.comparison.what_if(scores, {"first": costs, "second": costs}),
        podium.bayes.sign(x, y, names=(EVIL, "b"), rng=0),
        podium.bayes.signed_rank(x, y, names=(EVIL, "b"), rng=0),
        podium.bayes.imprecise(table, draws=200),
        podium.stats.critical_wins([10, 20]),
        podium.bayes.correlated_t(folds[0], folds[1], names=(EVIL, "b")),
        podium.bayes.hierarchical(scores.values[:, 0], scores.values[:, 1], names=(EVIL, "b"), rng=0),
        podium.bayes.anova(table, rope=0.1, rng=0),
        podium.bayes.anova(table, rope=0.1, robust=True, rng=0),
        podium.bayes.bradley_terry(table, rng=0),
        posterior,
        podium.bayes.decide(posterior),
        podium.bayes.rope_auto(scores),
        podium.chance.critical_value("auc", positives=5, negatives=5, competitors=3),
        podium.chance.pvalue("auc", 0.8, positives=5, negatives=5),
        podium.chance.critical_table("auc", positives=(5,), negatives=(5,), competitors=(3,)),
        podium.chance.chance_test(truth, {EVIL: rng.normal(size=40), "b": rng.normal(size=40)}),
        label_luck(truth == 1, {EVIL: truth == 1}, lambda hits, called: hits / 20, name="recall", alpha=0.05),
        podium.chance.null_curve("auc", positives=5, negatives=5),
        podium.chance.critical_mean("tp10", positives=[20, 30], negatives=[40, 50]),
        podium.planning.plan_cases("auc", 0.8),
        podium.planning.plan_competitors("auc", positives=10, negatives=10, competitors=(1, 10)),
        podium.planning.plan(difference=0.08, agreement=0.8),
        podium.planning.may_stop({EVIL: [1] * 9, "b": [0] * 9}),
        podium.planning.runs_needed({EVIL: [[1.0, 2.0], [1.4, 2.5]], "b": [[0.5, 1.0], [0.9, 1.3]]}, 0.2),
        podium.planning.datasets_needed(effect=1.0, draws=50),
        podium.planning.power(tests=["sign"], effects=[1.0], sizes=[8], draws=50),
        podium.studies.pool_dependence(table),
        podium.studies.replicability(table, a=EVIL, b="b", tests=["sign"], size=5, biases=(0,), draws=20),
        podium.studies.calibrate(["sign"], shapes=("normal",), sizes=(6,), draws=20),
        compared.paper_table(),
        *podium.compare(table, direction="higher", rows="datasets", cost={EVIL: 1, "b": 2, "c": 3}).trade_offs,
        compared,
    ]


def test_every_result_renders_and_escapes_names(results):
    for result in results:
        assert isinstance(result, Result)
        html = result._repr_html_()
        assert html.startswith("<"), type(result).__name__
        assert EVIL not in html, type(result).__name__
        assert "<b>" not in html, type(result).__name__
        assert len(result.summary()) > 20


def test_every_kind_of_result_can_be_imported_from_its_room(results):
    for result in results:
        name, (_, room, *_) = type(result).__name__, type(result).__module__.split(".")
        assert getattr(importlib.import_module(f"podium.{room}"), name) is type(result)
    assert podium.Comparison is type(results[-1])


def test_the_json_of_every_kind_of_result_has_the_schema_that_podium_serves(results):
    for result in results:
        data = json.loads(render_json(document(result, drawn=False)))
        check_schema(data)
        assert result.to_dict()["schema"] == data["schema"]


def test_headers_in_a_notebook_are_worded(results):
    for result in results:
        heads = re.findall(r"<th [^>]*>(.*?)</th>", result._repr_html_())
        names = {name for name in result.to_frame().columns if "_" in str(name)}
        assert heads, type(result).__name__
        assert not names & set(heads), type(result).__name__


def test_the_sample_holds_nearly_every_kind_of_result(results):
    """New results join the sample; those that need a model to be trained or that stand in another are left out."""
    for module in pkgutil.walk_packages(podium.__path__, "podium."):
        if module.name.split(".")[1] in ROOMS:
            importlib.import_module(module.name)
    kinds, waiting = set(), [Result]
    while waiting:
        below = [kind for kind in waiting.pop().__subclasses__() if public(kind)]
        waiting += below
        kinds |= {kind for kind in below if not list(filter(public, kind.__subclasses__()))}
    kinds = {kind for kind in kinds if kind.__module__.split(".")[:2] in [["podium", room] for room in ROOMS]}
    left_out = {kind.__name__ for kind in kinds} - {type(result).__name__ for result in results}
    assert left_out == {
        "EmpiricalNullResult", "ClassBalancePlanResult", "SimulatedCriticalValueResult", "VerifyResult",
        "WinsResult",
    }  # fmt: skip


ROOMS = ("stats", "bayes", "ordering", "chance", "planning", "studies", "comparison")


def public(kind):
    """Whether it is the class of that name (with slots, dataclass leaves a twin behind)."""
    return getattr(importlib.import_module(kind.__module__), kind.__name__, None) is kind
