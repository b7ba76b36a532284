"""Columns named by algorithm and metric."""

import io

import pandas as pd
import pytest

import podium
from refusals import refuses

BOTH = """dataset,SVM_acc,SVM_f1,RF_acc,RF_f1
iris,0.95,0.94,0.93,0.92
wine,0.97,0.95,0.96,0.95
glass,0.71,0.62,0.78,0.70
"""


def from_text(text, **options):
    return podium.read(pd.read_csv(io.StringIO(text)), **options)


@pytest.mark.parametrize("name", ["{0}_{1}", "{1} {0}", "{0} ({1})", "{0}-{1}", "{1}/{0}", "my {0}: {1}"])
def test_columns_named_by_algorithm_and_metric_are_both(name):
    header = ",".join(["dataset", *(name.format(a, m) for a in ("SVM", "RF") for m in ("accuracy", "training time"))])
    found = from_text("\n".join([header, *BOTH.splitlines()[1:]]))
    plain = {"my SVM": "SVM", "my RF": "RF"}
    assert sorted(found.metrics) == ["accuracy", "training time"]
    scores = found.scores("accuracy")
    assert [plain.get(one, one) for one in scores.algorithms] == ["SVM", "RF"]
    assert scores.table().values.tolist() == [[0.95, 0.93], [0.97, 0.96], [0.71, 0.78]]


def test_such_columns_are_algorithms_if_the_layout_says_so():
    found = from_text(BOTH, layout="wide", metric="accuracy").scores()
    assert found.algorithms == ("SVM_acc", "SVM_f1", "RF_acc", "RF_f1")
    assert from_text(BOTH, metric="f1").scores().table().values[2].tolist() == [0.62, 0.70]


@pytest.mark.parametrize(
    "header",
    [
        "dataset,SVM_acc,kNN_acc,RF_acc,NB_acc",  # one metric: part of every name
        "dataset,a_x,a_y,b_x,b_y",
    ],
)
def test_other_names_of_columns_are_names(header):
    found = from_text("\n".join([header, *BOTH.splitlines()[1:]]), metric="accuracy")
    assert found.scores().algorithms == tuple(header.split(",")[1:])


def test_numbers_without_a_metric_beside_such_columns_are_asked_about():
    lines = BOTH.splitlines()
    text = "\n".join([lines[0] + ",Baseline", *(line + ",0.5" for line in lines[1:])])
    with refuses(podium.DataError, "ignore_column", "layout"):
        from_text(text)
    assert from_text(text, ignore_column="Baseline", metric="acc").scores().algorithms == ("SVM", "RF")
