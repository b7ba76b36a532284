"""The options of reading: as keywords, or as one object that every verb takes."""

import pandas as pd
import pytest

import podium
from podium.core.errors import ArgumentError
from podium.reading import ReadOptions
from podium.reading.verbs import evidence_of
from refusals import refuses

FRAME = pd.DataFrame(
    {"dataset": [f"d{i}" for i in range(6)], "svm": [0.9, 0.7, 0.8, 0.6, 0.75, 0.85], "size": [9, 8, 7, 6, 5, 4]}
).assign(rf=lambda frame: frame["svm"] - 0.05)


def test_one_object_says_the_same_as_keywords():
    options = ReadOptions(metric="accuracy", ignore_column="size")
    one, other = podium.read(FRAME, reading=options), podium.read(FRAME, metric="accuracy", ignore_column="size")
    assert one.frame.equals(other.frame)
    assert one.notes == other.notes


def test_what_is_given_beside_the_object_counts():
    options = ReadOptions(metric="accuracy", ignore_column="size")
    assert list(podium.read(FRAME, reading=options, metric="auc").metrics) == ["auc"]


def test_compare_takes_the_object():
    options = ReadOptions(metric="accuracy", ignore_column="size")
    assert (
        podium.compare(FRAME, reading=options).verdict
        == podium.compare(FRAME, metric="accuracy", ignore_column="size").verdict
    )


@pytest.mark.parametrize("verb", [podium.read, podium.compare])
def test_a_misspelt_keyword_is_found(verb):
    with refuses(ArgumentError, "ignore_colum"):
        verb(FRAME, metric="accuracy", ignore_colum="size")


def test_another_object_is_refused():
    with refuses(ArgumentError, "reading"):
        podium.read(FRAME, reading={"metric": "accuracy"})


def test_a_direction_that_is_said_of_another_metric_is_refused():
    runs = pd.DataFrame({"agent": list("aabb"), "game": "Pong", "seed": [1, 2] * 2, "return": [0.1, 0.3, 0.2, 0.5]})
    cases = pd.DataFrame({"id": list("wxyz"), "rouge": [0.1, 0.3, 0.2, 0.5]}).merge(
        pd.DataFrame({"model": ["a", "b"]}), how="cross"
    )
    for frame, unit, metric in ((runs, "run", "return"), (cases, "case", "rouge")):
        with pytest.raises(ArgumentError, match=f"is said of 'cost', and the metric is '{metric}'"):
            podium.compare(frame, unit=unit, direction={"cost": "lower"})
        assert evidence_of(frame, unit=unit, direction={metric: "lower"}).metric.direction == "lower"
