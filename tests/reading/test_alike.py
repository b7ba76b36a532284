"""Names that look alike are said, and joined where asked for."""

import pandas as pd
import pytest

import podium
from podium.reading.assemble import look
from refusals import refuses

FRAME = pd.DataFrame(
    {"dataset": ["iris", "hayes-roth", "zoo", "hayes.roth"], "svm": [0.9, 0.7, 0.8, None], "knn": [0.8, None, 0.7, 0.6]}
)


@pytest.mark.parametrize(
    "a, b, same",
    [
        ("hayes-roth", "hayes.roth", True),
        ("Iris", "iris", True),
        ("balance scale", "balance_scale", True),
        ("svm-1.0", "svm-10", False),
        ("C=-1", "C=1", False),
        ("a+b", "a-b", False),
        ("C4.5", "C45", False),
    ],
)
def test_looks(a, b, same):
    assert (look(a) == look(b)) == same


def test_names_that_look_alike_are_said():
    results = podium.read(FRAME, metric="accuracy")
    assert results.scores().datasets == ("iris", "hayes-roth", "zoo", "hayes.roth")
    (note,) = [note for note in results.notes if "look alike" in note]
    assert "'hayes-roth', 'hayes.roth'" in note
    assert "merge_similar_names" in note


def test_names_that_look_alike_are_joined():
    results = podium.read(FRAME, metric="accuracy", merge_similar_names=True)
    table = results.scores().table()
    assert table.datasets == ("iris", "hayes-roth", "zoo")
    assert table.values.tolist() == [[0.9, 0.8], [0.7, 0.6], [0.8, 0.7]]
    assert any("joined" in note for note in results.notes)


def test_joined_names_that_disagree_are_refused():
    frame = FRAME.assign(svm=[0.9, 0.7, 0.8, 0.1])
    with refuses(podium.DataError, "fold_column", "repeat_column"):
        podium.read(frame, metric="accuracy", merge_similar_names=True)


def test_nothing_is_said_of_plain_names():
    results = podium.read(FRAME.iloc[[0, 2]], metric="accuracy")
    assert not any("look alike" in note for note in results.notes)
