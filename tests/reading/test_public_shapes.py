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


def test_the_architecture_names_the_algorithms_where_nothing_else_does(tmp_path):
    # an export of a tracker: the architecture is the algorithm, the name of the run is of none
    rows = [
        {"Name": f"{m}-{d}", "arch": m, "dataset": d, "val_acc": SCORES[i, j], "val_loss": OTHER[i, j]}
        for j, m in enumerate(MODELS)
        for i, d in enumerate(DATASETS)
    ]
    pd.DataFrame(rows).to_csv(tmp_path / "runs.csv", index=False)
    held(tmp_path / "runs.csv", algorithms=MODELS, rows=DATASETS)


# --- as results, leaderboards and benchmarks of public repositories are written ---------------------------------------


def test_two_columns_of_numbers_that_are_names_keep_their_places(tmp_path):
    # size,problem_id,heuristic: both were read once more as text, and changed places
    rows = [
        (size, i, h, 0.5 + i / 40 + size / 900 + j / 99)
        for size in (10, 50)
        for i in range(12)
        for j, h in enumerate("abc")
    ]
    pd.DataFrame(rows, columns=["size", "problem_id", "heuristic", "accuracy"]).to_csv(tmp_path / "r.csv", index=False)
    found = held(tmp_path / "r.csv", algorithms="abc", must_read=True)
    assert {frozenset(end.rows) for end in found if "where" not in end.answers} == {
        frozenset(f"{i} / {size}" for size in (10, 50) for i in range(12))
    }


def test_a_family_of_models_is_none_of_datasets():
    frame = pd.DataFrame({"Family": ["tree", "tree", "boosting"], "Model": ["CART", "Forest", "AdaBoost"]})
    frame = frame.assign(**{f"{name} F1": SCORES[i, :3] for i, name in enumerate(DATASETS[:4])})
    held(frame, algorithms=["CART", "Forest", "AdaBoost"], rows=[f"{name} F1" for name in DATASETS[:4]])


def test_means_and_worst_of_some_columns_are_no_datasets():
    frame = pd.DataFrame({"Model": ["CART", "Forest", "AdaBoost"]})
    frame = frame.assign(**{f"{name} F1": SCORES[i, :3] for i, name in enumerate(DATASETS[:4])})
    frame = frame.assign(
        **{"Mean Cross F1": [0.7, 0.6, 0.65], "Worst Target F1": [0.5, 0.4, 0.3], "Performance Drop": [0.1, 0.2, 0.3]}
    )
    held(frame, algorithms=["CART", "Forest", "AdaBoost"], rows=[f"{name} F1" for name in DATASETS[:4]])


@pytest.mark.parametrize(
    "names", [("mmlu_lo", "mmlu_hi"), ("overall_score", "avg_general"), ("forgetting_score", "weighted_overall")]
)
def test_bounds_and_overall_scores_are_no_datasets(names):
    frame = pd.DataFrame(SCORES[:4].T, columns=["mmlu", "arc", "gsm8k", "rte"]).assign(model=MODELS)
    held(
        frame.assign(**{name: [0.1, 0.3, 0.2, 0.4] for name in names}),
        algorithms=MODELS,
        rows=["mmlu", "arc", "gsm8k", "rte"],
    )


@pytest.mark.parametrize(
    "names",
    [
        ("f1_pct", "ibi_mae_ms", "ibi_rmse_ms", "pnn50_mae"),
        ("mean_layout_score", "mean_text_score", "gate_rate", "issue_rate"),
        ("kd_time", "kd_accuracy", "bf_time", "bbf_accuracy"),
    ],
)
def test_columns_named_by_different_measures_are_never_compared(names):
    refused(pd.DataFrame(SCORES[:4], columns=list(names)).assign(detector_label=MODELS))
    refused(pd.DataFrame(SCORES, columns=list(names)).assign(dataset=DATASETS))


def test_aspects_below_a_column_of_metrics_are_no_algorithms():
    frame = pd.DataFrame(SCORES[:2], columns=["overall_score", "refusal", "prevention", "redirection"])
    refused(frame.assign(metric=["AutoDAN_eval", "GCG_eval"])[["metric", *frame]])


@pytest.mark.parametrize(
    "names", [("importance_rf", "importance_xgb"), ("shap_mean", "rf_importance"), ("lat", "long")]
)
def test_what_describes_features_or_places_is_no_score(names):
    refused(pd.DataFrame({"feature": DATASETS, names[0]: SCORES[:, 0], names[1]: SCORES[:, 1]}), direction="higher")


@pytest.mark.parametrize("name", ["horizon", "n_train", "noise_level"])
def test_what_makes_the_data_harder_is_no_part_of_the_algorithm(name):
    frame = pd.concat([long(MSE=score), long(MSE=other)], ignore_index=True)
    frame[name] = [96] * 32 + [192] * 32
    for end in held(frame, algorithms=MODELS):
        assert "where" in end.answers or len(end.rows) == 16


def test_a_share_that_differs_in_every_row_names_the_rows():
    frame = pd.DataFrame(SCORES[:6], columns=MODELS).assign(contamination=[0.01, 0.02, 0.05, 0.1, 0.15, 0.2])
    held(frame, algorithms=MODELS, rows=["0.01", "0.02", "0.05", "0.1", "0.15", "0.2"])


def test_months_name_rows():
    frame = pd.DataFrame(SCORES, columns=MODELS)
    months = [f"2020-{month:02d}" for month in range(1, 9)]
    held(frame.assign(window=months)[["window", *MODELS]], algorithms=MODELS, rows=months)


def test_subjects_and_sessions_are_what_pipelines_are_compared_on():
    # MOABB: score, subject, session, dataset, pipeline
    frame = pd.concat([long(session="0", score=score), long(session="1", score=other)], ignore_index=True)
    frame = frame.rename(columns={"dataset": "subject", "model": "pipeline"}).assign(dataset="BNCI", time=1.5)
    held(frame, algorithms=MODELS)


def test_what_was_scored_on_the_training_data_is_not_offered():
    found = held(long(train_acc=other, test_acc=score, r2=score), algorithms=MODELS)
    assert {end.metric for end in found} == {"test_acc", "r2"}


def test_shares_on_some_datasets_and_percents_on_others_are_asked_about():
    frame = wide()
    frame.loc[5:, MODELS] *= 100
    assert "percent" in refused(frame, metric="quality", direction="higher")


def test_rows_without_a_dataset_may_be_left_out(tmp_path):
    # exports of Kaggle Benchmarks have the result over all tasks in a row without a task
    frame = pd.concat([long(Result=score), pd.DataFrame({"model": MODELS, "Result": [0.7, 0.6, 0.5, 0.4]})])
    frame.rename(columns={"dataset": "Task_Name"}).to_csv(tmp_path / "r.csv", index=False)
    held(tmp_path / "r.csv", algorithms=MODELS, rows=DATASETS)


def test_records_within_records_are_columns(tmp_path):
    records = [
        {
            "model": MODELS[j],
            "dataset": DATASETS[i],
            "metrics": {"accuracy": score(i, j), "f1": other(i, j)},
            "config": {"lr": 0.1},
        }
        for i, j in PLACES
    ]
    found = held(saved(tmp_path, records), algorithms=MODELS, rows=DATASETS)
    assert {end.metric for end in found} == {"accuracy", "f1"}
    lines = [
        {"model": m, "scores": dict(zip(DATASETS, SCORES[:, j], strict=True)), "params": {"size": 7}}
        for j, m in enumerate(MODELS)
    ]
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, lines)))
    held(tmp_path / "r.jsonl", algorithms=MODELS, rows=DATASETS)


def test_titles_above_a_table_are_left_out(tmp_path):
    text = wide().to_csv(index=False)
    for title in ("Experiment: final\nDate: 2024-05-01\n\n", "Table 2\n"):
        (tmp_path / "accuracy.csv").write_text(title + text)
        held(tmp_path / "accuracy.csv", algorithms=MODELS, rows=DATASETS)
    (tmp_path / "accuracy.csv").write_text(
        "data svm knn\na 0,5 0,6\nb 0,6 0,7\nc 0,4 0,5\n"
    )  # decimal commas cut no header
    assert read(tmp_path / "accuracy.csv", decimal_comma=True).datasets == ("a", "b", "c")


def test_of_several_tables_on_a_page_those_without_numbers_are_none(tmp_path):
    options = "| option | meaning |\n|---|---|\n| lr | rate |\n\n## Results\n\n"
    first = "\n".join(f"| {line.replace(',', ' | ')} |" for line in wide().to_csv(index=False).splitlines())
    first = first.replace("\n", f"\n{'|---' * 5}|\n", 1)
    (tmp_path / "README.md").write_text(f"# Project\n\n{options}{first}\n")
    held(tmp_path / "README.md", algorithms=MODELS, rows=DATASETS)
    (tmp_path / "README.md").write_text(f"## One\n\n{first}\n\n## Two\n\n{first}\n")
    assert {end.answers["sheet"] for end in held(tmp_path / "README.md", algorithms=MODELS)} == {"One", "Two"}


@pytest.mark.parametrize(
    ("name", "values"), [("timestamp", ["2024-01-01 10:00", "2024-01-02 11:00"]), ("shots", [1, 5])]
)
def test_neither_when_it_ran_nor_how_many_shots_make_another_algorithm(name, values):
    frame = pd.concat([long(accuracy=score), long(accuracy=other)], ignore_index=True)
    held(frame.assign(**{name: [values[0]] * 32 + [values[1]] * 32}), algorithms=MODELS)


def test_sizes_called_n_are_what_tools_are_compared_on(tmp_path):
    rows = [(tool, n, 0.5 + i / 20 + j / 50) for i, tool in enumerate(MODELS) for j, n in enumerate((0.01, 0.1, 1, 10))]
    pd.DataFrame(rows, columns=["Tool", "n", "AUC"]).to_csv(tmp_path / "x.csv", index=False)
    held(tmp_path / "x.csv", algorithms=MODELS, rows=["0.01", "0.1", "1.0", "10.0"])


def test_what_is_scored_over_all_is_no_dataset_beside_its_parts():
    frame = pd.DataFrame(
        [(m, x, v) for v in ("overall_all_cells", "sota_only") for m, x in zip(MODELS, SCORES[0], strict=True)]
    )
    refused(frame.set_axis(["model_id", "score", "variant"], axis=1))


def test_names_of_mlr3_are_those_of_its_measures(tmp_path):
    """`bmr$aggregate()` and `bmr$score()`: nr, uhash, task_id, learner_id, resampling_id, iters or iteration, the measure."""
    frame = long(**{"classif.acc": score}).rename(columns={"dataset": "task_id", "model": "learner_id"})
    frame.insert(0, "nr", range(1, len(frame) + 1))
    frame.assign(resampling_id="cv", iters=10).to_csv(tmp_path / "x.csv", index=False)
    assert [end.answers for end in held(tmp_path / "x.csv", algorithms=MODELS, rows=DATASETS)] == [{}]


def utterances(**more):
    return pd.DataFrame(
        {"utt_id": [f"u{i}" for i in range(12)], **more}
        | {f"wer_{name}": np.tile(SCORES[:4, j], 3) for j, name in enumerate("ab")}
    )


def test_measures_in_the_names_of_systems_say_which_way_they_point():
    assert {end.answers["direction"] for end in ends(utterances())} == {"higher", "lower"}
    assert read(utterances(), direction="lower").noun == "case"


def test_texts_beside_outcomes_are_asked_about_at_once():
    texts = {name: [f"the {name} of {i}" for i in range(12)] for name in ("ref", "hyp_a", "hyp_b")}
    assert {end.answers["ignore_column"] for end in ends(utterances(**texts), direction="lower")} == {(*texts,)}
