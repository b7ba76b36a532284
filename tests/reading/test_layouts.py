"""A table with known truth, written in every layout that Podium reads: what is read back is the truth or a refusal.

Never another table: not one with other names, other numbers, other folds, or folds taken for datasets.
"""

import bz2
import csv
import gzip
import io
import json
import zipfile
from typing import NamedTuple

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import podium
from podium.core.errors import PodiumError

ALGORITHMS = ("svm", "C4.5", "k-NN(k=1)", "naive_bayes", "Random Forest", "XGBoost-2.0", "5nn", "LDA", "rocket", "HC2")
DATASETS = (
    "iris",
    "zoo",
    "breast cancer",
    "balance-scale",
    "hayes.roth",
    "wine_red",
    "Müller",
    "adult (sample)",
    "ecoli2",
    "d.1",
)
DECORATIONS = ("plain", "percent", "mean_sd", "footnotes", "decimal_comma")


class Truth(NamedTuple):
    """Scores by (dataset, algorithm, repeat, fold)."""

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    values: np.ndarray


@st.composite
def truths(draw):
    k, n = draw(st.integers(2, 5)), draw(st.integers(1, 6))
    repeats, folds = draw(st.sampled_from([(1, 1), (1, 1), (1, 3), (1, 10), (2, 2), (5, 2), (3, 4)]))
    algorithms = tuple(draw(st.permutations(ALGORITHMS))[:k])
    datasets = tuple(draw(st.permutations(DATASETS))[:n])
    seed, digits = draw(st.integers(0, 10**6)), draw(st.sampled_from([2, 3, 4]))
    low, high = draw(st.sampled_from([(0.3, 1.0), (30, 100), (0.0, 0.4)]))
    values = np.round(np.random.default_rng(seed).uniform(low, high, (n, k, repeats, folds)), digits)
    return Truth(datasets, algorithms, values)


def rows_of(truth):
    n, k, repeats, folds = truth.values.shape
    for i in range(n):
        for j in range(k):
            for r in range(repeats):
                for f in range(folds):
                    yield truth.datasets[i], truth.algorithms[j], r, f, truth.values[i, j, r, f]


def long_table(truth, names, shuffle):
    """One score per row, columns and words as people choose them."""
    repeats, folds = truth.values.shape[2:]
    frame = pd.DataFrame(rows_of(truth), columns=["dataset", "algorithm", "repeat", "fold", "value"])
    if repeats == 1:
        frame = frame.drop(columns="repeat")
    if folds == 1:
        frame = frame.drop(columns="fold")
    return shuffled(frame.rename(columns=names), shuffle)


def folds_in_rows(truth, names, shuffle):
    """A column per algorithm, a row per dataset, repeat and fold."""
    frame = pd.DataFrame(rows_of(truth), columns=["dataset", "algorithm", "repeat", "fold", "value"])
    frame = frame.pivot(index=["dataset", "repeat", "fold"], columns="algorithm", values="value").reset_index()
    frame.columns.name = None
    drop = [name for name, size in zip(("repeat", "fold"), truth.values.shape[2:], strict=True) if size == 1]
    return shuffled(frame.drop(columns=drop).rename(columns={k: v for k, v in names.items() if k != "value"}), shuffle)


def folds_in_columns(truth, names, shuffle):
    """A column per fold, a row per dataset and algorithm."""
    frame = pd.DataFrame(rows_of(truth), columns=["dataset", "algorithm", "repeat", "fold", "value"])
    frame["n"] = frame["repeat"] * truth.values.shape[3] + frame["fold"]
    frame = frame.pivot(index=["dataset", "algorithm"], columns="n", values="value").reset_index()
    frame.columns = [*frame.columns[:2], *(f"fold {n + 1}" for n in frame.columns[2:])]
    return shuffled(frame.rename(columns=names), shuffle)


def wide(truth, names, shuffle):
    frame = pd.DataFrame(truth.values.mean(axis=(2, 3)).round(6), index=truth.datasets, columns=truth.algorithms)
    return shuffled(frame.rename_axis(names["dataset"]).reset_index(), shuffle)


def transposed(truth, names, shuffle):
    frame = pd.DataFrame(truth.values.mean(axis=(2, 3)).round(6).T, index=truth.algorithms, columns=truth.datasets)
    return shuffled(frame.rename_axis(names["algorithm"]).reset_index(), shuffle)


def shuffled(frame, seed):
    return frame if seed is None else frame.sample(frac=1, random_state=seed).reset_index(drop=True)


LAYOUTS = {f.__name__: f for f in (wide, transposed, long_table, folds_in_rows, folds_in_columns)}
WORDS = st.fixed_dictionaries(
    {
        "dataset": st.sampled_from(["dataset", "Dataset", "data set", "task", "problem", "DB"]),
        "algorithm": st.sampled_from(["algorithm", "classifier", "model", "Method", "learner"]),
        "repeat": st.sampled_from(["repeat", "run", "Rep", "seed"]),
        "fold": st.sampled_from(["fold", "Fold", "cv_fold"]),
        "value": st.sampled_from(["accuracy", "Accuracy", "value", "score"]),
    }
)


def decorated(value, how):
    text = repr(float(value))
    if how == "decimal_comma":
        return text.replace(".", ",")
    return {"percent": f"{text}%", "mean_sd": f"{text} ± 0.01", "footnotes": f"{text}*"}.get(how, text)


def written(frame, how, separator, encoding, ending):
    """A file's name and bytes."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator)
    writer.writerow(frame.columns)
    for row in frame.itertuples(index=False):
        writer.writerow([decorated(cell, how) if isinstance(cell, float) else cell for cell in row])
    raw = out.getvalue().encode(encoding)
    if ending == ".csv.gz":
        return "scores.csv.gz", gzip.compress(raw)
    if ending == ".csv.bz2":
        return "scores.csv.bz2", bz2.compress(raw)
    if ending == ".zip":
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("scores.csv", raw)
        return "scores.zip", packed.getvalue()
    if ending in (".json", ".jsonl"):
        records = json.loads(frame.to_json(orient="records"))
        text = "\n".join(map(json.dumps, records)) if ending == ".jsonl" else json.dumps(records)
        return f"scores{ending}", text.encode()
    return "scores.csv", raw


def check_truth(truth, scores, layout):
    """What was read is the truth: the same names, folds and numbers, in any order."""
    assert set(scores.datasets) == set(truth.datasets), (scores.datasets, truth.datasets)
    assert set(scores.algorithms) == set(truth.algorithms), (scores.algorithms, truth.algorithms)
    values = (
        truth.values.mean(axis=(2, 3), keepdims=True).round(6) if layout in ("wide", "transposed") else truth.values
    )
    for i, dataset in enumerate(truth.datasets):
        for j, algorithm in enumerate(truth.algorithms):
            found = scores.values[scores.datasets.index(dataset), scores.algorithms.index(algorithm)]
            if layout == "folds_in_columns":
                assert found.ravel().tolist() == values[i, j].ravel().tolist()
            else:
                assert found.tolist() == values[i, j].tolist()


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    truth=truths(),
    layout=st.sampled_from(list(LAYOUTS)),
    names=WORDS,
    shuffle=st.sampled_from([None, 1, 2]),
    how=st.sampled_from([*DECORATIONS, "plain", "plain", "plain"]),
    separator=st.sampled_from([",", ";", "\t", "|"]),
    encoding=st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16"]),
    ending=st.sampled_from([".csv", ".csv", ".csv", ".csv.gz", ".csv.bz2", ".zip", ".json", ".jsonl"]),
    said=st.booleans(),
)
def test_what_is_read_back_is_the_truth_or_a_refusal(
    tmp_path_factory, truth, layout, names, shuffle, how, separator, encoding, ending, said
):
    frame = LAYOUTS[layout](truth, names, shuffle)
    file, content = written(frame, how, separator, encoding, ending)
    path = tmp_path_factory.mktemp("layouts") / file
    path.write_bytes(content)
    options = {how: True} if how != "plain" and said and not ending.startswith(".json") else {}
    try:
        scores = podium.read(path, metric="accuracy", **options).scores("accuracy")
    except PodiumError:
        return  # asked about
    check_truth(truth, scores, layout)


def test_plain_layouts_are_not_only_refused(tmp_path):
    """A refusal is no way out: these are read."""
    values = np.round(np.random.default_rng(0).uniform(0.3, 1.0, (4, 3, 2, 5)), 3)
    truth = Truth(DATASETS[:4], ALGORITHMS[:3], values)
    names = {"dataset": "dataset", "algorithm": "algorithm", "repeat": "repeat", "fold": "fold", "value": "accuracy"}
    for layout, make in LAYOUTS.items():
        path = tmp_path / f"{layout}.csv"
        make(truth, names, 1).to_csv(path, index=False)
        options = {"repeats": 2} if layout == "folds_in_columns" else {}
        check_truth(truth, podium.read(path, metric="accuracy", **options).scores("accuracy"), layout)


def with_size(frame, dataset, rng):
    """The number of cases of each dataset, in front of the scores."""
    sizes = {name: int(rng.integers(50, 5000)) for name in frame[dataset].unique()}
    return insert(frame, "n_instances", frame[dataset].map(sizes))


def with_time(frame, dataset, rng):
    return insert(frame, "fit_time", np.round(rng.uniform(0.1, 50, len(frame)), 2))


def with_constant(frame, dataset, rng):
    return insert(frame, "version", "1.2")


def with_parameter(frame, dataset, rng):
    """A parameter that takes several values."""
    return insert(frame, "featureSelection", [("none", "pca")[i % 2] for i in range(len(frame))])


def with_row_number(frame, dataset, rng):
    frame = frame.copy()
    frame.insert(0, "", range(len(frame)))
    return frame


def with_average(frame, dataset, rng):
    last = {column: round(frame[column].mean(), 4) if frame[column].dtype.kind == "f" else "" for column in frame}
    return pd.concat([frame, pd.DataFrame([{**last, frame.columns[0]: "Average"}])], ignore_index=True)


def insert(frame, name, values):
    frame = frame.copy()
    frame.insert(1, name, values)
    return frame


NUISANCES = {
    f.__name__: f for f in (with_size, with_time, with_constant, with_parameter, with_row_number, with_average)
}


def aligned(rows):
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


FORMS = {
    "comments": lambda rows: "# made by hand, in haste\n" + "\n".join(map(",".join, rows)),
    "aligned": aligned,
    "Markdown": lambda rows: "\n".join(
        f"| {' | '.join(row)} |" for row in (rows[0], ["---"] * len(rows[0]), *rows[1:])
    ),
    "LaTeX": lambda rows: "\n".join(" & ".join(row) + " \\\\" for row in rows).replace("_", "\\_"),
    "ends": lambda rows: "\n".join(",".join(row) + "," for row in rows),
    "row names": lambda rows: "\n".join([",".join(rows[0][1:]), *map(",".join, rows[1:])]),
    "plain": lambda rows: "\n".join(map(",".join, rows)),
}


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    truth=truths(),
    layout=st.sampled_from(["wide", "transposed", "long_table", "folds_in_rows"]),
    names=WORDS,
    nuisance=st.sampled_from([None, *NUISANCES]),
    form=st.sampled_from([*FORMS, "plain"]),
    holes=st.sampled_from([0.0, 0.0, 0.2]),
    seed=st.integers(0, 100),
)
def test_columns_and_rows_that_are_no_scores_never_become_some(
    tmp_path_factory, truth, layout, names, nuisance, form, holes, seed
):
    rng = np.random.default_rng(seed)
    frame = LAYOUTS[layout](truth, names, None)
    if form == "row names" and (layout == "transposed" or frame.iloc[:, 0].duplicated().any()):
        # Without the word in the corner rows are datasets: that is said, and nothing tells otherwise. Row names are
        # never repeated by the tools that write them.
        form = "plain"
    if nuisance:
        frame = NUISANCES[nuisance](frame, frame.columns[0], rng)
    gone = rng.random(len(frame)) < holes
    last = frame.columns[-1]
    if holes and frame[last].dtype.kind == "f":
        frame.loc[gone, last] = np.nan
    cells = frame.astype(object).where(frame.notna(), "NA")
    rows = [list(map(str, frame.columns)), *[[str(cell) for cell in row] for row in cells.itertuples(index=False)]]
    path = tmp_path_factory.mktemp("layouts") / "scores.txt"
    path.write_text(FORMS[form](rows))
    try:
        scores = podium.read(path, metric="accuracy").scores("accuracy")
    except PodiumError:
        return  # asked about
    assert set(scores.datasets) <= set(truth.datasets), (scores.datasets, rows[:3])
    assert set(scores.algorithms) <= set(truth.algorithms), (scores.algorithms, rows[:3])
    exact = truth.values.mean(axis=(2, 3), keepdims=True).round(6) if layout in ("wide", "transposed") else truth.values
    for i, dataset in enumerate(scores.datasets):
        for j, algorithm in enumerate(scores.algorithms):
            found = scores.values[i, j]
            known = exact[truth.datasets.index(dataset), truth.algorithms.index(algorithm)]
            assert found.shape == known.shape, (found.shape, known.shape, rows[:3])
            assert ((found == known) | np.isnan(found)).all()
    if not holes:
        assert not np.isnan(scores.values).any()
        assert scores.values.shape == exact.shape
