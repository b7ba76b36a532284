"""Tables as public projects write them (OpenML, HELM, trackers, caret, JSON of results): read, asked about or refused, never another."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from podium.core.errors import DataError
from podium.reading.reader import read
from podium.reading.verbs import evidence_of
from reading.walker import ends, held, refused
from refusals import refuses

DATASETS = ["adult", "bank", "car", "dna", "eeg", "flare", "glass", "heart"]
MODELS = ["LightGBM", "TabPFN", "net", "FT-T"]
_RNG = np.random.default_rng(5)
SCORES = np.round(0.6 + 0.2 * _RNG.random((8, 1)) + 0.05 * _RNG.random((8, 4)), 4)
OTHER = np.round(SCORES - 0.1 * _RNG.random((8, 4)), 4)
PLACES = [(i, j) for i in range(8) for j in range(4)]


def long(**more):
    """A row per dataset and model; a value of a column is the same everywhere, or a function of the place."""
    named = {"dataset": [DATASETS[i] for i, _ in PLACES], "model": [MODELS[j] for _, j in PLACES]}
    return pd.DataFrame(named | {name: [v(*at) if callable(v) else v for at in PLACES] for name, v in more.items()})


def wide(**more):
    return pd.DataFrame({"dataset": DATASETS, **dict(zip(MODELS, SCORES.T, strict=True)), **more})


def score(i, j):
    return SCORES[i, j]


def other(i, j):
    return OTHER[i, j]


def saved(folder, value, name="results.json"):
    (folder / name).write_text(json.dumps(value))
    return folder / name


# --- roles ------------------------------------------------------------------------------------------------------------


def test_a_column_of_metrics_is_known_by_its_cells():
    # OpenML's list of evaluations: flow_name, task_id, function, value
    frame = pd.concat(
        [long(function="area_under_roc_curve", value=score), long(function="f_measure", value=other)],
        ignore_index=True,
    ).rename(columns={"dataset": "task_id", "model": "flow_name"})
    found = held(frame, algorithms=MODELS, rows=DATASETS)
    assert {end.metric for end in found} == {"area_under_roc_curve", "f_measure"}


@pytest.mark.parametrize("before", ["config.", "config/", "parameters/", "params."])
def test_what_trackers_put_before_a_name_says_nothing(before):
    # Weights & Biases, Neptune and MLflow put the parameters of a run into columns such as config.model
    frame = long(test_acc=score, Sweep="").rename(
        columns=lambda name: before + name if name in ("dataset", "model") else name
    )
    held(frame.replace("", np.nan), algorithms=MODELS, rows=DATASETS, by="test_acc")


def test_model_and_adapter_are_algorithms_and_a_mean_win_rate_is_a_summary():
    # HELM: "Model/adapter", "Mean win rate", then a column per scenario and metric
    names = ["MMLU - EM", "BoolQ - EM", "NarrativeQA - F1", "HellaSwag - EM", "IMDB - EM"]
    frame = pd.DataFrame(SCORES[:5].T, columns=names)
    frame.insert(0, "Mean win rate", [0.9, 0.7, 0.4, 0.1])
    frame.insert(0, "Model/adapter", MODELS)
    held(frame, algorithms=MODELS, rows=names)


def test_languages_are_what_models_are_compared_on():
    frame = long(chrf=score).rename(columns={"dataset": "lang"})
    held(frame.assign(lang=frame["lang"].str[:2]), algorithms=MODELS, rows={name[:2] for name in DATASETS}, by="chrf")


def test_a_few_prompts_beside_tasks_are_no_test_cases():
    frame = pd.concat([long(prompt=f"p{p}", acc=lambda i, j, p=p: SCORES[i, j] + p / 100) for p in range(3)])
    for end in ends(frame.rename(columns={"dataset": "task"})):
        assert end.unit == "dataset"
        assert end.read.values.shape[2:] == (1, 1)


# --- parts of the data, seeds and folds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [("train", "valid", "test"), ("dev", "test"), ("in_sample", "out_of_sample")])
def test_parts_of_the_data_are_never_compared_with_each_other(parts):
    frame = pd.concat(
        [long(subset=part, accuracy=lambda i, j, k=k: SCORES[i, j] - k / 50) for k, part in enumerate(parts)]
    )
    found = held(frame, algorithms=MODELS, rows=DATASETS, by="accuracy")
    assert len(found) == len(parts)


@pytest.mark.parametrize("pattern", ["{}_{}", "{1}_{0}", "{} ({})"])
def test_of_a_training_and_a_test_column_for_each_algorithm_one_is_taken(pattern):
    scores = {"test": SCORES, "train": SCORES + 0.05}
    columns = {pattern.format(m, part): scores[part][:, j] for j, m in enumerate(MODELS) for part in scores}
    first, *_ = reached = list(ends(pd.DataFrame({"dataset": DATASETS, **columns}), direction="higher"))
    assert len(reached) == 2
    assert first.algorithms == {pattern.format(m, "test") for m in MODELS}


@pytest.mark.parametrize("ending", ["_seed{}", "-run{}", " (seed {})", "_s-seed{}"])
def test_seeds_in_the_names_of_algorithms_are_repeats(ending):
    frame = pd.concat(
        [
            long(accuracy=lambda i, j, s=s: SCORES[i, j] + s / 500).assign(
                model=lambda f, s=s: f["model"] + ending.format(s)
            )
            for s in range(3)
        ]
    )
    for end in ends(frame):
        assert len(end.algorithms) == 4
        assert end.read.values.shape == (8, 4, 3, 1)


def test_folds_of_one_dataset_are_no_settings():
    """Scores that all differ were "the same few numbers for every name", where there is one name: three of five were left out."""
    numbers = [[0.80, 0.63, 0.50], [0.84, 1.0, 0.88], [0.35, 0.49, 0.70], [0.41, 1.0, 0.57]]
    frame = pd.DataFrame(numbers, columns=["5nn", "C4.5", "HC2"]).assign(problem="zoo", fold=[0, 1, 2, 3])
    held(frame, algorithms=["5nn", "C4.5", "HC2"], rows=["zoo"], metric="accuracy")


def test_how_long_an_algorithm_was_trained_is_no_repeat():
    frame = pd.concat([long(accuracy=score).assign(model=lambda f, n=n: f["model"] + f"_iter{n}") for n in (100, 200)])
    assert len(read(frame).algorithms) == 8


def test_numbered_metrics_are_folds():
    frame = pd.DataFrame({"model": MODELS} | {f"acc_{k + 1}": SCORES[k] for k in range(5)})
    frame = frame.assign(acc_mean=SCORES[:5].mean(0), std=0.01)
    found = held(frame, algorithms=MODELS, by="acc")
    assert all(end.read.values.shape == (1, 4, 1, 5) for end in found)
    assert np.allclose(found[0].read.values[0, :, 0], SCORES[:5].T)


def test_two_numbered_metrics_are_two_metrics():
    columns = {f"{m}_fold{k}": v[k] for m, v in (("acc", SCORES), ("f1", OTHER)) for k in range(5)}
    found = held(pd.DataFrame({"model": MODELS} | columns), algorithms=MODELS)
    assert {end.metric for end in found} == {"acc", "f1"}


def test_a_mean_beside_folds_is_no_score():
    frame = pd.DataFrame({"model": MODELS} | {f"Fold {k + 1}": SCORES[k] for k in range(5)})
    found = held(frame.assign(Mean=SCORES[:5].mean(0), Std=0.01), algorithms=MODELS, metric="accuracy")
    assert found[0].read.values.shape == (1, 4, 1, 5)


def test_numbers_that_belong_to_a_metric_are_no_folds():
    columns = {f"bleu_{n}": SCORES[n] for n in range(1, 5)}
    assert "nothing to test" in refused(pd.DataFrame({"model": MODELS} | columns))


# --- what is no score -----------------------------------------------------------------------------------------------------


def test_counts_of_a_confusion_matrix_are_no_scores():
    frame = long(TP=lambda i, j: 50 + i * j, FP=lambda i, j: 9 - j, TN=40, FN=lambda i, j: i)
    with refuses(DataError, "value_column"):
        evidence_of(frame)


def test_emissions_are_a_cost():
    held(long(quality=score, co2_kg=other, energy_kwh=other), algorithms=MODELS, rows=DATASETS, by="quality")


def test_of_ranks_the_first_is_the_best():
    ranks = (-SCORES).argsort(axis=1).argsort(axis=1) + 1
    frame = pd.DataFrame(ranks, columns=MODELS).assign(dataset=DATASETS)
    with refuses(DataError, "direction") as caught:
        evidence_of(frame)
    assert caught.value.fields["offers"] == ({"direction": "lower"},)
    assert len(held(frame, algorithms=MODELS, rows=DATASETS)) == 1


@pytest.mark.parametrize("names", [["cv_mean", "test_score", "train_score"], ["Train Score", "Test Score"]])
def test_scores_of_training_and_test_are_no_datasets(names):
    frame = pd.DataFrame(SCORES[: len(names)].T, columns=names).assign(model=MODELS)
    assert "nothing to test" in refused(frame)


def test_one_score_of_each_model_and_metric_is_not_asked_about(tmp_path):
    """Whichever metric somebody chose, there would be nothing to test."""
    frame = pd.DataFrame(
        {"Model": MODELS, "Accuracy": SCORES[0], "F1": SCORES[1], "ROC AUC": SCORES[2], "Time (s)": 3.0}
    )
    metrics = {m: {"accuracy": SCORES[0, j], "f1": SCORES[1, j]} for j, m in enumerate(MODELS)}
    for source in (frame, saved(tmp_path, metrics)):
        with pytest.raises(DataError, match="nothing to test") as caught:
            evidence_of(source, verb="compare")
        assert not caught.value.fields.get("offers")
    assert "nothing to test" in refused(tmp_path / "results.json", rows="datasets")


def test_what_every_answer_would_lead_to_is_said_at_once():
    """The direction is asked when the cells can be read."""
    frame = wide().map(lambda cell: f"{cell} [0.7, 0.8]" if isinstance(cell, float) else cell)
    with pytest.raises(DataError, match="not a number"):
        evidence_of(frame)


@pytest.mark.parametrize("name, value", [("p", 0.03), ("winner", "ours"), ("gain", 0.01), ("Hub $/1M", 0.4)])
def test_what_stands_beside_two_algorithms_is_no_third(name, value):
    held(wide()[["dataset", "net", "FT-T"]].assign(**{name: value}), algorithms=["net", "FT-T"], rows=DATASETS)


@pytest.mark.parametrize("names", [["Public Score", "Private Score"], ["mean_test_score", "rank_test_score"]])
def test_leaderboards_and_searches_have_one_score_each(names):
    frame = pd.DataFrame(SCORES[:2].T, columns=names).assign(TeamName=MODELS)
    assert "nothing to test" in refused(frame)


def test_settings_of_a_search_are_neither_algorithms_nor_datasets():
    frame = pd.DataFrame(
        {"lr": [0.1, 0.01] * 6, "dropout": [0.0, 0.5, 0.2] * 4, "val_acc": SCORES[:4, :3].ravel(), "val_loss": 0.4}
    )
    assert "metrics" in refused(frame)
    search = pd.DataFrame(
        {"model": ["svc", "nusvc"] * 6, "C": [1, 1, 5, 5] * 3, "mean_test_score": SCORES[:4, :3].ravel()}
    )
    assert "nothing to test" in refused(search.assign(gamma=[0.1] * 4 + [0.2] * 4 + [0.3] * 4, std_test_score=0.01))


@pytest.mark.parametrize("numbers", [np.corrcoef(SCORES.T), np.eye(4) + 0.03, np.arange(16).reshape(4, 4)])
def test_a_table_of_algorithms_with_each_other_is_refused(numbers):
    frame = pd.DataFrame(numbers, columns=MODELS)
    assert "same names" in refused(frame.assign(name=MODELS)[["name", *MODELS]])


def test_metrics_beside_datasets_and_algorithms_in_columns_are_asked_about():
    frame = wide(metric=["accuracy"] * 4 + ["rmse"] * 4)
    found = held(frame, algorithms=MODELS)
    assert {frozenset(end.rows) for end in found} == {frozenset(DATASETS[:4]), frozenset(DATASETS[4:])}


@pytest.mark.parametrize("name", ["target", "subject", "corruption"])
def test_what_else_names_rows_of_a_model_may_be_the_dataset(name):
    held(long(R2=score).rename(columns={"dataset": name}), algorithms=MODELS, rows=DATASETS, by="R2")


def test_judgements_are_averaged_and_raters_are_no_part_of_a_system():
    rows = [(a, f"i{i}", m, (3 * i + j + a) % 5) for a in range(3) for i in range(20) for j, m in enumerate(MODELS)]
    held(pd.DataFrame(rows, columns=["annotator", "item", "system", "fluency"]), algorithms=MODELS, unit="case")


def test_the_accuracy_below_the_classes_of_a_report_is_no_class():
    classes = [*DATASETS[:5], "accuracy", "macro avg", "weighted avg"]
    frame = long(precision=score, recall=other).replace(dict(zip(DATASETS, classes, strict=True)))
    held(frame.rename(columns={"dataset": "class"}), algorithms=MODELS, rows=DATASETS[:5])


def test_the_column_of_true_labels_is_offered_as_the_truth():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": range(40)} | {name: rng.integers(0, 3, 40) for name in ("label", "rf", "svm")})
    held(frame, algorithms=["rf", "svm"], unit="dataset", must_read=False)
    assert {"truth": "label"} in [end.answers for end in ends(frame)]


def test_a_score_beside_datasets_is_their_mean():
    # GLUE: a column per task, and "Score"
    frame = pd.DataFrame(SCORES.T, columns=DATASETS).assign(Score=[0.7, 0.6, 0.8, 0.9])
    frame.insert(0, "Model", MODELS)
    held(frame, algorithms=MODELS, rows=DATASETS)


@pytest.mark.parametrize("first", ["agent", "Model", "dataset", ""])
def test_whatever_names_the_rows_of_a_square_table(first):
    frame = pd.DataFrame(np.corrcoef(SCORES.T), columns=MODELS)
    frame.insert(0, first, MODELS)
    assert "same names" in refused(frame)


def test_a_mean_below_folds_is_no_fold():
    frame = wide()[MODELS].assign(fold=[1, 2, 3, 4, 5, 6, "mean", "std"])
    found = held(frame, algorithms=MODELS, metric="accuracy")
    assert all(end.read.values.shape == (1, 4, 1, 6) for end in found)


# --- LaTeX and several header rows ----------------------------------------------------------------------------------------


def test_spreads_below_the_scores_of_latex(tmp_path):
    lines = [
        " & ".join([m, *(f"${100 * SCORES[i, j]:.1f}_{{\\pm 0.4}}$" for i in range(5))]) for j, m in enumerate(MODELS)
    ]
    head = " & ".join(["Method", *DATASETS[:5]])
    text = " \\\\\n".join([head, *lines])
    (tmp_path / "accuracy.tex").write_text(f"\\begin{{tabular}}{{lccccc}}\n{text} \\\\\n\\end{{tabular}}\n")
    held(tmp_path / "accuracy.tex", algorithms=MODELS, rows=DATASETS[:5])


def test_below_a_header_row_of_metrics_methods_in_rows_are_compared_on_columns(tmp_path):
    # M4: sMAPE and MASE above Yearly, Quarterly, Monthly
    columns = pd.MultiIndex.from_product([["sMAPE", "MASE"], ["Yearly", "Quarterly", "Monthly"]])
    frame = pd.DataFrame(np.hstack([SCORES[:3].T, OTHER[:3].T]), index=pd.Index(MODELS, name="Method"), columns=columns)
    frame.to_csv(tmp_path / "m4.csv")
    held(tmp_path / "m4.csv", algorithms=MODELS, rows=["Yearly", "Quarterly", "Monthly"])


# --- JSON -----------------------------------------------------------------------------------------------------------------


def nested(cell):
    return {m: {d: cell(i, j) for i, d in enumerate(DATASETS)} for j, m in enumerate(MODELS)}


JSON = {
    "metrics inside": nested(lambda i, j: {"accuracy": SCORES[i, j], "f1": OTHER[i, j], "time": 3.1}),
    "metrics outside": {"accuracy": nested(score), "f1": nested(other)},
    "datasets outside": {d: {m: SCORES[i, j] for j, m in enumerate(MODELS)} for i, d in enumerate(DATASETS)},
    "seeds inside": nested(lambda i, j: {f"seed_{s}": SCORES[i, j] + s / 200 for s in range(3)}),
}


@pytest.mark.parametrize("shape", JSON)
def test_names_within_names(shape, tmp_path):
    """Two well-known algorithms among the names say which are the algorithms."""
    found = held(saved(tmp_path, JSON[shape]), algorithms=MODELS, rows=DATASETS)
    assert all(end.read.values.shape[2] == (3 if shape == "seeds inside" else 1) for end in found)


def test_metrics_in_columns_name_the_columns_that_may_hold_the_algorithms(tmp_path):
    # an export of a tracker: the architecture is the algorithm, the name of the run is of none
    rows = [
        {"Name": f"{m}-{d}", "arch": m, "dataset": d, "val_acc": SCORES[i, j], "val_loss": OTHER[i, j]}
        for j, m in enumerate(MODELS)
        for i, d in enumerate(DATASETS)
    ]
    pd.DataFrame(rows).to_csv(tmp_path / "runs.csv", index=False)
    with pytest.raises(DataError, match="'arch'") as refusal:
        evidence_of(tmp_path / "runs.csv")
    assert "algorithm_column" in refusal.value.options
    named = read(tmp_path / "runs.csv", algorithm_column="arch", metric="val_acc")
    assert set(named.algorithms) == set(MODELS)
