"""Example data in the package: tables printed in papers, each with its source and notes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.resources import files
from typing import TYPE_CHECKING

from podium.core import check

if TYPE_CHECKING:
    import pandas as pd

    from podium.core.results import Results


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What an example is, where it comes from, and what to know about it.

    `reference` is its key in the bibliography; `frames` are the tables that `example_frame` gives.
    """

    name: str
    about: str
    source: str
    reference: str
    notes: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    has_results: bool = True


_EXAMPLES = {
    item.name: item
    for item in (
        Example(
            name="benavoli2016",
            about="Accuracy (%) of 7 algorithms on 54 datasets; six cells are missing",
            source="Benavoli, Corani & Mangili (2016), Should we really use post-hoc tests based on mean-ranks?, "
            "Journal of Machine Learning Research 17(5), Table 2",
            reference="benavoli2016",
            notes=(
                "C1 is J48, C2 hidden naive Bayes, C3 AODE, C4 naive Bayes, C5 J48 graft, C6 locally weighted naive "
                "Bayes, C7 random forest.",
                "C1 to C6 on zoo are illegible in the source and left empty. The printed mean ranks fix their order: "
                "C2 > C3 > C4 > C1 = C5, C7 = C3 and C3 <= C6 <= C2.",
            ),
            frames=("accuracies",),
        ),
        Example(
            name="ulas2008",
            about="Accuracy (%) of 8 algorithms on 38 datasets, 5 x 2 folds, with training time and space",
            source="Ulaş, Yıldız & Alpaydın (2008), Cost-conscious comparison of supervised learning algorithms over "
            "multiple data sets, Technical Report FBE/CMPE-01/2008-04, Boğaziçi University, Tables A.1 to A.13",
            reference="ulas2008",
            notes=(
                "The printed tables of accuracies have the rows iris and ionosphere under each other's name; "
                "here they are right.",
                "Training time and space are normalised to about 100 for the most expensive algorithm of a dataset.",
            ),
            frames=(
                "accuracies_5x2",
                "training_time",
                "space",
                "ranks_accuracy",
                "ranks_multitest_training_time",
                "ranks_multitest_space",
            ),
        ),
        Example(
            name="forman2005",
            about="Critical values at 1 % for the best of 10, 100 and 1000 random rankings",
            source="Forman & Cohen (2005), Beware the null hypothesis: critical value tables for evaluating classifiers, "
            "HPL-2005-70, Appendix B",
            reference="forman2005",
            notes=("Simulated with ten million trials: the third decimal is noisy.",),
            frames=("critical_values_alpha01",),
            has_results=False,
        ),
    )
}

# The cost tables that stand beside the folds: file -> metric.
_COSTS = ("training_time", "space")


def examples() -> tuple[Example, ...]:
    """Every example, with its source.

    >>> [item.name for item in examples()]
    ['benavoli2016', 'ulas2008', 'forman2005']
    """
    return tuple(_EXAMPLES.values())


def example(name: str) -> Results:
    """The scores of a paper as `Results`.

    >>> example("ulas2008").scores("accuracy").values.shape
    (38, 8, 5, 2)
    >>> example("ulas2008").scores("training_time").values.shape
    (38, 8, 1, 1)
    """
    from podium.core.read.reader import read as read_results

    known = _EXAMPLES[check.member("example", name, [item.name for item in examples() if item.has_results])]
    results = read_results(example_frame(f"{name}/{known.frames[0]}"), metric="accuracy")
    costs = [read_results(example_frame(f"{name}/{cost}"), metric=cost) for cost in _COSTS if cost in known.frames]
    for cost in costs:
        results = results.joined(cost)
    missing = [note for note in results.notes[1:] if "have no score" in note]
    return replace(results, source=known.source, notes=(f"{known.about}: {known.source}.", *missing, *known.notes))


def example_frame(name: str) -> pd.DataFrame:
    """A table of a paper as it is printed, as a DataFrame; `name` is "example/table".

    >>> example_frame("ulas2008/ranks_accuracy").shape
    (38, 9)
    """
    import pandas as pd

    names = [f"{item.name}/{frame}" for item in examples() for frame in item.frames]
    folder, table = check.member("example table", name, names).split("/")
    with files("podium").joinpath("data", folder, f"{table}.csv").open("rb") as file:
        return pd.read_csv(file)
