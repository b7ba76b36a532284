"""Tables as people write them: the truth is found or asked, and no answer that is offered leads to another table."""

import numpy as np
import pandas as pd
import pytest

from podium.core.errors import DataError
from podium.reading.verbs import evidence_of

DATASETS = ["adult", "bank", "car", "dna", "eeg", "flare", "glass", "heart"]
MODELS = ["LightGBM", "TabPFN", "MLP"]
_RNG = np.random.default_rng(3)
TRUTH = np.round(0.6 + 0.3 * _RNG.random((8, 3)), 3)
OTHER = np.round(0.5 + 0.3 * _RNG.random((8, 3)), 3)
PLACES = [(i, j) for i in range(8) for j in range(3)]


def long(scores=TRUTH, **more):
    """A row per dataset and model; what else a row has is a value or a function of its place."""
    names = {"dataset": [DATASETS[i] for i, _ in PLACES], "model": [MODELS[j] for _, j in PLACES]}
    beside = {name: [value(*at) if callable(value) else value for at in PLACES] for name, value in more.items()}
    return pd.DataFrame({**names, "accuracy": scores.ravel(), **beside})


def wide(**more):
    return pd.DataFrame({"dataset": DATASETS, **dict(zip(MODELS, TRUTH.T, strict=True)), **more})


def turned(**before):
    frame = pd.DataFrame(TRUTH.T, columns=DATASETS)
    return pd.concat([pd.DataFrame({"Model": MODELS, **before}), frame], axis=1)


def in_pairs(one, other, ending, sign=" "):
    """Two columns for each model, of which the second has an ending."""
    columns = zip(MODELS, one.T, other.T, strict=True)
    pairs = {name: values for m, a, b in columns for name, values in ((m, a), (f"{m}{sign}{ending}", b))}
    return pd.DataFrame({"dataset": DATASETS, **pairs})


SHAPES = {
    "a rank beside each score": in_pairs(TRUTH, (-TRUTH).argsort(1).argsort(1) + 1, "rank"),
    "a spread beside each score": in_pairs(TRUTH, OTHER / 100, "std", "_"),
    "settings of the training": long(lr=lambda i, j: 10.0 ** -(1 + j), batch_size=lambda i, j: 32 * (1 + i % 2)),
    "commit and time": long(commit=lambda i, j: f"a{i}b{j}f", timestamp=lambda i, j: f"2024-03-0{1 + i} 10:0{j}:00"),
    "machine": long(gpu=lambda i, j: ["A100", "V100"][j % 2], host=lambda i, j: f"node{i}"),
    "german": wide().rename(columns={"dataset": "Datensatz"}),
    "difference": wide(**{"Δ TabPFN-MLP": np.round(TRUTH[:, 1] - TRUTH[:, 2], 3)}),
    "name of the best": wide(best=[MODELS[j] for j in TRUTH.argmax(1)]),
    "p-values": wide(**{"p-value": OTHER[:, 0]}),
    "stars": wide(sig=["*", "", "**", "", "", "*", "", ""]),
    "sizes": wide(**{"#instances": [48842, 45211, 1728, 3186, 14980, 1066, 214, 270], "#classes": [2, 2, 4, 3, 2, 6, 6, 2]}),
    "share of missing values": wide(missing_rate=np.round(OTHER[:, 1] / 5, 3)),
    "a ratio that looks like a score": wide(ratio=np.round(0.3 + OTHER[:, 1] / 2, 3)),
    "share of a class": wide(minority_ratio=np.round(OTHER[:, 2] / 5, 3)),
    "index saved as a column": wide().reset_index(names="Unnamed: 0"),
    "remarks": wide(notes=["", "ran twice", "", "", "", "", "", "cluster down"]),
    "turned": turned(),
    "turned with an average": turned().assign(Avg=TRUTH.mean(0).round(3)),
    "turned with sizes": turned(Params=["12M", "1.2B", "400k"]),
    "turned with year and venue": turned(Year=[2017, 2023, 1986], Venue=["NIPS", "ICLR", "PDP"]),
    "how long each was trained": long(epochs=lambda i, j: 10 * (j + 1)),
    "best epoch": long(best_epoch=lambda i, j: 5 + i + j),
    "bounds": long(ci_low=lambda i, j: TRUTH[i, j] - 0.02, ci_high=lambda i, j: TRUTH[i, j] + 0.02),
    "number of runs": long(n_runs=5),
    "counts of a confusion matrix": long(tp=lambda i, j: 50 + i, fp=lambda i, j: 5 + j, tn=40, fn=4),
    "codes of languages": wide().assign(dataset=["de", "en", "fr", "id", "no", "is", "it", "my"]),
}  # fmt: skip


def ends(frame, path, **options):
    """What is read without a question, or by each answer that is offered."""
    frame.to_csv(path, index=False)
    answers = [{}]
    try:
        evidence_of(path, **options)
    except DataError as error:
        answers = error.fields.get("offers", ())
    assert answers
    return [evidence_of(path, **options, **answer)[0] for answer in answers]


@pytest.mark.parametrize("name", SHAPES)
def test_the_truth_is_found_or_asked(name, tmp_path):
    frame = SHAPES[name]
    rows = list(frame["dataset"]) if name == "codes of languages" else DATASETS
    for scores in ends(frame, tmp_path / "t.csv"):
        assert sorted(scores.algorithms) == sorted(MODELS)
        order = [scores.algorithms.index(model) for model in MODELS]
        assert list(scores.rows) == rows
        assert np.allclose(scores.values[:, order, 0, 0], TRUTH)


def test_two_splits_are_never_averaged(tmp_path):
    both = pd.concat([long(split="val"), long(OTHER, split="test")])
    tables = [scores.values[:, :, 0, 0] for scores in ends(both, tmp_path / "t.csv")]
    assert [len(table[0]) for table in tables] == [3, 3]
    assert np.allclose(tables[0], OTHER)  # the test is offered first
    assert np.allclose(tables[1], TRUTH)


def test_folds_in_the_names_of_datasets_are_folds(tmp_path):
    """24 datasets would be 24 units for a test, where there are 8."""
    folds = pd.concat(
        [long(TRUTH + k / 1000).assign(dataset=lambda f, k=k: f["dataset"] + f"_fold{k}") for k in range(3)]
    )
    (scores,) = ends(folds, tmp_path / "t.csv")
    assert list(scores.rows) == DATASETS
    assert scores.values.shape == (8, 3, 1, 3)
    assert np.allclose(scores.values[:, :, 0, 2], TRUTH + 0.002)


def test_names_that_the_header_does_not_say_are_asked_for_together(tmp_path):
    spanish = long().rename(columns={"dataset": "conjunto", "model": "modelo", "accuracy": "exactitud"})
    (only,) = ends(spanish, tmp_path / "t.csv", direction="higher")  # two of the models are well known
    assert only.algorithms == tuple(MODELS)
    spanish["modelo"] = spanish["modelo"].str[:3]
    first, second, *_ = ends(spanish, tmp_path / "t.csv", direction="higher")
    assert first.algorithms == tuple(model[:3] for model in MODELS)
    assert np.allclose(first.values[:, :, 0, 0], TRUTH)
    assert second.algorithms == tuple(DATASETS)  # whoever says so


def test_algorithms_within_the_names_of_runs_are_no_repeats(tmp_path):
    runs = pd.concat([long(run=lambda i, j, s=s: f"{MODELS[j]}-seed{s}") for s in range(3)]).drop(columns="model")
    runs.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(DataError) as caught:
        evidence_of(tmp_path / "t.csv")
    assert "column of algorithms" in str(caught.value)
