"""What every result can do."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest

from podium.core.metric import Metric
from podium.core.result import Result, plain


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample(Result):
    pvalue: float
    names: tuple[str, ...]
    values: np.ndarray
    references: tuple[str, ...] = ("demsar2006",)

    def summary(self):
        return f"<b>{self.names[0]}</b> wins (p = {self.pvalue})."


SAMPLE = Sample(pvalue=0.25, names=("<script>", "b"), values=np.array([[1.0, np.nan]]))


def test_plain_values_are_json():
    value = {
        1: np.float64(0.5), "n": np.int64(3), "nan": float("nan"), "inf": np.inf, "f": Fraction(1, 3),
        "set": {2}, "metric": Metric(name="auc", direction="higher"), "nested": [SAMPLE], "none": None, "b": np.bool_(1),
    }  # fmt: skip
    found = json.loads(json.dumps(plain(value)))
    assert found["1"] == 0.5
    assert (found["nan"], found["inf"], found["f"], found["set"]) == (None, None, "1/3", [2])
    assert found["metric"] == {"name": "auc", "direction": "higher", "is_cost": False}
    assert found["nested"][0]["kind"] == "Sample"
    assert found["b"] is True


def test_to_dict_names_schema_and_kind_first():
    assert list(SAMPLE.to_dict()) == ["schema", "kind", "references", "pvalue", "names", "values"]
    assert SAMPLE.to_dict()["values"] == [[1.0, None]]


def test_to_frame_has_one_row_of_single_values():
    assert SAMPLE.to_frame().to_dict("records") == [{"kind": "Sample", "pvalue": 0.25}]


def test_the_notebook_view_escapes_names():
    html = SAMPLE._repr_html_()
    assert "<b>" not in html
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_an_interval_is_had_as_from_scipy():
    import podium

    found = podium.stats.wilcoxon([0.9, 0.8, 0.7, 0.9], [0.8, 0.6, 0.4, 0.2])
    assert found.confidence_interval() == (found.low, found.high)
    pairs = podium.stats.all_pairs(np.random.default_rng(0).random((9, 3)))
    assert pairs.confidence_interval().high.tolist() == pairs.high.tolist()
    model = podium.bayes.sign([0.9, 0.8, 0.7], [0.8, 0.6, 0.4], rng=0)
    assert model.confidence_interval().low == model.low
    with pytest.raises(podium.ArgumentError, match="OmnibusResult has no interval"):
        podium.stats.friedman(np.random.default_rng(0).random((9, 3))).confidence_interval()


@pytest.mark.parametrize("metric", ["auc", "roc_auc", "auroc"])
def test_one_metric_has_the_names_that_others_give_it_wherever_it_is_computed(metric):
    import podium
    from podium.bench.spec import Suite
    from podium.cases.registry import case_metric

    assert case_metric(metric).name == "auc"
    assert podium.chance.critical_value(metric, positives=5, negatives=5, competitors=3).metric == "auc"
    assert Suite(name="s", datasets=["iris"], algorithms=["nb"], metrics=[metric]).metrics == ("auc",)


@pytest.mark.parametrize("room", ["stats", "bayes"])
def test_scores_of_two_are_called_x_and_y_and_names_of_algorithms_a_and_b(room):
    import importlib
    import inspect

    package = importlib.import_module(f"podium.{room}")
    for name in package.__all__:
        if inspect.isfunction(function := getattr(package, name)):
            first = list(inspect.signature(function).parameters)[:2]
            assert first == ["x", "y"] or not {"a", "b", "x", "y"} & set(first), name


def test_a_result_is_frozen_and_has_to_speak():
    with pytest.raises(AttributeError):
        SAMPLE.pvalue = 0.5
    with pytest.raises(TypeError):
        Result()


def test_a_dataclass_keeps_the_repr_of_results():
    assert Sample.__repr__ is Result.__repr__
    assert repr(SAMPLE) == "<b><script></b> wins (p = 0.25).\n\nkind    Sample\npvalue  0.25"


def test_a_long_or_wide_table_is_cut_and_says_so():
    import pandas as pd

    @dataclass(frozen=True, slots=True, kw_only=True, eq=False)
    class Wide(Sample):
        def to_frame(self):
            return pd.DataFrame({f"column_{j:02d}": np.arange(40) for j in range(20)})

    text = repr(Wide(pvalue=0.5, names=("a",), values=np.zeros(1)))
    assert text.endswith("... and 28 more rows and 11 more columns: to_frame() has all.")
    assert max(map(len, text.splitlines())) <= 100
    assert len(text.splitlines()) == 16


def test_the_title_comes_from_the_class():
    assert SAMPLE.title == "Sample"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Listed(Sample):
    def to_frame(self):
        return pd.DataFrame({"algorithm": self.names, "score": self.values})


def test_the_notebook_view_has_numbers_at_the_right_edge_and_names_at_the_left():
    html = Listed(pvalue=0.5, names=("a", "b"), values=np.array([0.5, 12.0]))._repr_html_()
    sides = [re.search(r"text-align:(\w+)", cell)[1] for cell in re.findall(r"<th style=[^>]*>", html)]
    assert sides == ["left", "right"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored(Result):
    """What `JSON` says: a number of each algorithm by its name, a property, and a field that is left out."""

    JSON: ClassVar[Mapping[str, Any]] = {"means": dict[str, float], "best": str, "draws": None}
    algorithms: tuple[str, ...] = ("a", "b")
    means: Any = field(default_factory=lambda: np.array([0.5, np.nan]))
    draws: Any = field(default_factory=lambda: np.zeros(1000))

    @property
    def best(self):
        return "a"

    def summary(self):
        return "a is best."


def test_the_json_of_a_result_has_what_its_class_says():
    assert Scored().to_dict() == {
        "schema": "podium.result/2",
        "kind": "Scored",
        "references": [],
        "algorithms": ["a", "b"],
        "means": {"a": 0.5, "b": None},
        "best": "a",
    }
