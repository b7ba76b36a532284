"""Logs of lm-evaluation-harness: real ones against their facts, and one made file for every trap."""

import json

import numpy as np
import pytest

import podium
from podium.core.errors import DataError
from podium.evidence.cases import Cases
from podium.reading.logs.packing import OPENERS
from reading.logs_expected import check_cli, check_facts, expected, folder
from refusals import refuses

QUESTIONS = (
    ("capital_mc | none | acc", {"metric": "acc"}),
    ("capital_mc | none | acc_norm", {"metric": "acc_norm"}),
    ("sums_cot | strict-match | exact_match", {"metric": "exact_match", "where": "filter == 'strict-match'"}),
    ("sums_cot | flexible-extract | exact_match", {"where": "filter == 'flexible-extract'"}),
    ("sums_cot | maj@5 | exact_match", {"where": "filter == 'maj@5'"}),
)


def folder_name(name):
    return name.replace("/", "__")


@pytest.mark.parametrize("question,options", QUESTIONS)
def test_real_logs_give_their_facts(question, options, tmp_path):
    facts = expected("lmeval_a")["by_task_filter_metric"][question]
    check_facts(podium.read(folder("lmeval_a"), **options), facts, folder_name)
    arguments = [word for key, value in options.items() for word in (f"--{key}", value)]
    check_cli(tmp_path, [folder("lmeval_a"), *arguments], facts, folder_name)


def test_several_questions_are_asked_once_with_the_options_that_settle_them():
    with refuses(DataError, "metric", "where") as asked:
        podium.read(folder("lmeval_a"))
    assert "--metric" in asked.value.said(lambda name: f"--{name}")
    with refuses(DataError, "where"):
        podium.read(folder("lmeval_a"), metric="exact_match")


def test_a_model_that_only_its_results_name():
    facts = expected("lmeval_real")
    cases = podium.read(folder("lmeval_real"))
    check_facts(cases, facts)
    assert any("math_rephrased_full" in note for note in cases.notes)


def test_old_results_without_documents():
    facts = expected("lmeval_pythia_zeroshot")
    with refuses(DataError, "where"):
        podium.read(folder("lmeval_pythia_zeroshot"), metric="acc")
    scores = podium.read(folder("lmeval_pythia_zeroshot"), metric="acc", where="group == ''").scores()
    table = scores.table()
    assert (len(table.algorithms), len(table.datasets)) == (facts["systems"], facts["items"])
    assert sorted(table.values.mean(axis=0)) == pytest.approx(sorted(facts["mean_score_over_items"].values()))
    parts = (
        podium.read(folder("lmeval_pythia_zeroshot"), metric="acc", where="group == 'hendrycksTest'").scores().table()
    )
    assert len(parts.datasets) == facts["hendrycksTest_subtasks"]
    assert sorted(parts.values.mean(axis=0)) == pytest.approx(sorted(facts["mmlu_mean_of_subtasks"].values()))
    ppl = podium.read(folder("lmeval_pythia_zeroshot"), metric="ppl").scores()
    assert ppl.metric.direction == "lower"


# --- Made logs -------------------------------------------------------------------------------------------------------


def row(number, *, hashed=None, filtered="none", **metrics):
    return {
        "doc_id": number,
        "doc": {"question": f"What is {number}?", "topic": f"t{number % 2}"},
        "target": "1",
        "resps": [["1"]],
        "filtered_resps": ["1"],
        "filter": filtered,
        "metrics": list(metrics),
        "doc_hash": hashed or f"{number:064d}",
        **metrics,
    }


def write_run(place, model, rows, *, task="sums", date="2026-01-21T03-44-18.458309", **about):
    """One run as the harness writes it."""
    own = place / model.replace("/", "__")
    own.mkdir(parents=True, exist_ok=True)
    own.joinpath(f"samples_{task}_{date}.jsonl").write_text(
        "".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8"
    )
    results = {
        "results": {task: {"alias": task, **about.pop("values", {})}},
        "group_subtasks": {task: []},
        "configs": {task: {"metric_list": about.pop("metric_list", [])}},
        "versions": {task: 1},
        "higher_is_better": {task: about.pop("higher", {})},
        "n-samples": {task: {"original": len(rows), "effective": len(rows)}},
        "config": {"model": "hf", "model_args": f"pretrained={model}", **about.pop("config", {})},
        "date": about.pop("seconds", 1.7e9),
        "model_name": model,
        **about,
    }
    own.joinpath(f"results_{date}.json").write_text(json.dumps(results), encoding="utf-8")


def test_documents_of_the_same_hash_are_two(tmp_path):
    for model, right in (("lab/a", (1, 0, 1)), ("lab/b", (0, 1, 1))):
        rows = [row(i, hashed="h" * 64 if i < 2 else None, exact_match=float(value)) for i, value in enumerate(right)]
        write_run(tmp_path, model, rows)
    cases = podium.read(tmp_path)
    assert cases.values.tolist() == [[1, 0], [0, 1], [1, 1]]
    assert cases.algorithms == ("lab/a", "lab/b")


OLD_FILTERS = {"exact_match,strict-match": 0.25, "exact_match,flexible-extract": 0.75}


def old_rows(strict, flexible, *without):
    """Rows as they were before version 0.4.5: of each document one for each filter, which they do not name."""
    rows = [row(i, exact_match=float(v)) for values in (strict, flexible) for i, v in enumerate(values)]
    return [{key: value for key, value in each.items() if key not in ("filter", "metrics", *without)} for each in rows]


def test_filters_that_rows_do_not_name_are_not_samples(tmp_path):
    for model in "ab":
        write_run(tmp_path, model, old_rows((1, 0, 0, 0), (1, 1, 1, 0)), values=OLD_FILTERS)
    with refuses(DataError, "where"):
        podium.read(tmp_path)
    for name, right in (("strict-match", 1), ("flexible-extract", 3)):
        cases = podium.read(tmp_path, where=f"filter == '{name}'")
        assert cases.samples is None
        assert cases.values.sum(axis=0).tolist() == [right, right]
    for results in tmp_path.rglob("results_*.json"):
        results.unlink()
    assert podium.read(tmp_path, where="filter == '2 of 2'").values.sum() == 6


def test_files_of_before_0_4_3_are_one_array_and_have_no_hashes(tmp_path):
    for model, right in (("a", (1, 0, 0, 0)), ("b", (0, 0, 0, 1))):
        write_run(tmp_path, model, old_rows(right, (1, 1, 1, 0), "doc_hash"), values=OLD_FILTERS, model_name=None)
        (own,) = (tmp_path / model).glob("samples_*.jsonl")
        lines = [json.loads(line) for line in own.read_text(encoding="utf-8").splitlines()]
        own.with_name(f"pretrained__lab__{model},dtype__float16_sums.jsonl").write_text(json.dumps(lines, indent=2))
        own.unlink()
    write_run(tmp_path, "new", [row(i, filtered="strict-match", exact_match=1.0) for i in range(4)])
    cases = podium.read(tmp_path, where="filter == 'strict-match'")
    assert cases.values.T.tolist() == [[1, 0, 0, 0], [0, 0, 0, 1], [1, 1, 1, 1]]
    assert "Cases are matched by doc_id." in cases.notes


def test_a_system_with_totals_alone_is_named(tmp_path):
    for model in "abc":
        write_run(tmp_path, model, [row(i, acc=1.0) for i in range(3)], values={"acc,none": 1.0})
    next((tmp_path / "c").glob("samples_*")).unlink()
    cases = podium.read(tmp_path)
    assert cases.algorithms == ("a", "b")
    assert any("no cases: the systems 'c'" in note for note in cases.notes)


def test_predictions_without_scores_are_no_scores(tmp_path):
    write_run(tmp_path, "a", [row(i, bypass=None) for i in range(3)], values={"bypass,none": 999})
    with pytest.raises(DataError, match="holds no score"):
        podium.read(tmp_path)


def test_a_limit_leaves_holes_and_says_so(tmp_path):
    write_run(tmp_path, "a", [row(i, acc=1.0) for i in range(6)])
    write_run(tmp_path, "b", [row(i, acc=0.0) for i in range(2)])
    cases = podium.read(tmp_path)
    assert np.isnan(cases.values).sum(axis=0).tolist() == [0, 4]
    assert any("all 6 cases: b 2." in note for note in cases.notes)


def test_lower_is_better_where_the_task_says_so(tmp_path):
    for model in "ab":
        write_run(tmp_path, model, [row(i, acc=0.5, edits=3.0) for i in range(3)], higher={"edits": False, "acc": True})
    assert podium.read(tmp_path, metric="edits").metric.direction == "lower"


def test_totals_of_tasks_of_both_directions_are_a_question(tmp_path):
    for model in "ab":
        for task, better in (("sums", True), ("edits", False)):
            write_run(tmp_path / task, model, [], task=task, values={"score,none": 0.5}, higher={"score": better})
    for samples in tmp_path.rglob("samples_*"):
        samples.unlink()
    with refuses(DataError, "where"):
        podium.read(tmp_path)
    assert podium.read(tmp_path, where="direction == 'lower'").datasets == ("edits",)


@pytest.mark.parametrize(
    "values,about",
    [
        ({"ter": ["a", "b"]}, {}),
        ({"word_perplexity": [-3.5, 7]}, {}),
        ({"perplexity": -3.5}, {}),
        ({"odd": 0.25}, {"metric_list": [{"metric": "odd", "aggregation": "median"}]}),
        ({"odd": 0.25}, {"values": {"odd,none": 0.9}}),
    ],
)
def test_metrics_of_a_corpus_have_no_cases(tmp_path, values, about):
    for model in "ab":
        write_run(tmp_path, model, [row(i, acc=1.0, **values) for i in range(3)], **about)
    cases = podium.read(tmp_path)
    assert cases.metric.name == "acc"
    assert any(next(iter(values)) in note and "not a mean" in note for note in cases.notes)


def test_two_dates_of_a_model_are_a_question(tmp_path):
    for date, seconds, score in (("2026-01-21T03-44-18.4", 1.0e9, 1.0), ("2026-02-21T03-44-18.4", 2.0e9, 0.0)):
        write_run(tmp_path, "a", [row(i, acc=score) for i in range(3)], date=date, seconds=seconds)
    write_run(tmp_path, "b", [row(i, acc=1.0) for i in range(3)])
    with refuses(DataError, "runs"):
        podium.read(tmp_path)
    assert podium.read(tmp_path, runs="newest").scores.tolist() == [0, 1]
    repeated = podium.read(tmp_path, runs="repeats")
    assert repeated.scores.tolist() == [0.5, 1]
    assert repeated.samples.shape == (3, 2, 2)


def test_a_run_without_a_date_cannot_be_the_newest(tmp_path):
    write_run(tmp_path / "x", "a", [row(i, acc=1.0) for i in range(3)])
    write_run(tmp_path / "y", "a", [row(i, acc=0.0) for i in range(3)], seconds=None, date="last")
    (tmp_path / "y" / "a" / "samples_sums_last.jsonl").rename(tmp_path / "y" / "a" / "samples_sums.jsonl")
    with refuses(DataError, "runs"):
        podium.read(tmp_path, runs="newest")


def test_samples_whose_results_are_gone_are_a_run_of_their_own(tmp_path):
    """The results of another date say nothing of them, and their mean is not the mean of these."""
    old, new = "2025-01-01T03-44-18.4", "2026-01-21T03-44-18.4"
    for model in "ab":
        write_run(tmp_path, model, [row(i, acc=1.0) for i in range(3)], date=new, values={"acc,none": 1.0})
    write_run(tmp_path, "a", [row(i, acc=0.0) for i in range(3)], date=old)
    (tmp_path / "a" / f"results_{old}.json").unlink()
    with refuses(DataError, "runs"):
        podium.read(tmp_path)
    newest = podium.read(tmp_path, runs="newest")
    assert newest.scores.tolist() == [1, 1]
    assert not any("not a mean" in note for note in newest.notes)


@pytest.mark.parametrize("has_results", [True, False])
def test_samples_in_a_folder_of_their_own_belong_to_the_model_above(tmp_path, has_results):
    for model, score in (("lab/a", 1.0), ("lab/b", 0.0)):
        write_run(tmp_path, model, [row(i, acc=score) for i in range(3)])
        own = tmp_path / model.replace("/", "__")
        (own / "samples").mkdir()
        for file in own.glob("samples_*"):
            file.rename(own / "samples" / file.name)
        for file in [] if has_results else own.glob("results_*"):
            file.unlink()
    cases = podium.read(tmp_path)
    assert cases.algorithms == ("lab/a", "lab/b")
    assert cases.scores.tolist() == [1, 0]


def test_two_seeds_of_a_model_are_its_samples(tmp_path):
    for date, seed in (("2026-01-21T03-44-18.4", 1), ("2026-02-21T03-44-18.4", 2)):
        write_run(tmp_path, "a", [row(i, acc=seed - 1.0) for i in range(3)], date=date, config={"random_seed": seed})
    write_run(tmp_path, "b", [row(i, acc=1.0) for i in range(3)], config={"random_seed": 1})
    assert podium.read(tmp_path).samples.shape == (3, 2, 2)


def totals(place, *runs):
    """Results without samples: of a model on a date with a seed, the score."""
    for model, date, seed, score in runs:
        about = {"date": f"2026-0{date}-21T03-44-18.4", "values": {"acc,none": score}}
        for task in ("sums", "capitals"):
            write_run(place / task, model, [], task=task, config={"random_seed": seed}, **about)
    for samples in place.rglob("samples_*"):
        samples.unlink()


def test_two_dates_of_totals_are_repeats_or_the_newest(tmp_path):
    totals(tmp_path, ("a", 1, 7, 0.5), ("a", 2, 7, 0.7), ("b", 1, 7, 0.4))
    with refuses(DataError, "runs"):
        podium.read(tmp_path)
    assert podium.read(tmp_path, runs="newest").scores().table().values.tolist() == [[0.7, 0.4]] * 2
    repeated = podium.read(tmp_path, runs="repeats").scores()
    assert repeated.table().values.tolist() == [[pytest.approx(0.6), 0.4]] * 2
    assert repeated.values.shape == (2, 2, 2, 1)


def test_the_newest_run_of_some_tasks_leaves_the_others(tmp_path):
    totals(tmp_path, ("a", 1, 7, 0.5), ("a", 2, 7, 0.7), ("b", 1, 7, 0.4))
    next((tmp_path / "sums" / "a").glob("results_2026-02*")).unlink()
    table = podium.read(tmp_path, runs="newest").scores().table()
    assert table.values[:, 0].tolist() == [0.7, 0.5]


def test_totals_of_several_seeds_are_repeats(tmp_path):
    """Two of the three runs have the same score, and count both."""
    totals(tmp_path, ("a", 1, 1, 0.5), ("a", 2, 2, 0.8), ("a", 3, 3, 0.5), ("b", 1, 1, 0.4))
    assert podium.read(tmp_path).scores().table().values.tolist() == [[pytest.approx(0.6), 0.4]] * 2


def test_a_copy_counts_once(tmp_path):
    for place in ("one", "two"):
        write_run(tmp_path / place, "a", [row(i, acc=1.0) for i in range(3)])
    write_run(tmp_path, "b", [row(i, acc=0.0) for i in range(3)])
    cases = podium.read(tmp_path)
    assert cases.samples is None
    assert any("it counts once" in note for note in cases.notes)


def test_the_same_model_with_other_settings_is_another_system(tmp_path):
    write_run(tmp_path / "0", "a", [row(i, acc=1.0) for i in range(3)], config={"num_fewshot": 0})
    write_run(tmp_path / "5", "a", [row(i, acc=0.0) for i in range(3)], config={"num_fewshot": 5})
    assert podium.read(tmp_path).algorithms == ("a (num_fewshot=0)", "a (num_fewshot=5)")


def test_tasks_that_were_run_with_other_settings_are_one_system(tmp_path):
    for model in "ab":
        for task, dtype in (("sums", "float32"), ("capitals", "bfloat16")):
            config = {"model_args": f"pretrained={model},dtype={dtype}"}
            write_run(tmp_path / task, model, [row(i, acc=1.0) for i in range(3)], task=task, config=config)
    cases = podium.read(tmp_path)
    assert cases.algorithms == ("a", "b")
    assert cases.n_cases == 6


@pytest.mark.parametrize(
    "arguments", ["pretrained=a,seed={},dtype=auto", {"pretrained": "a", "dtype": "auto", "seed": None}]
)
def test_a_seed_among_the_arguments_of_a_model_makes_no_other_system(arguments, tmp_path):
    for date, seed in (("2026-01-21T03-44-18.4", 1), ("2026-02-21T03-44-18.4", 2)):
        told = arguments.format(seed) if isinstance(arguments, str) else {**arguments, "seed": seed}
        rows = [row(i, acc=seed - 1.0) for i in range(3)]
        write_run(tmp_path, "a", rows, date=date, config={"model_args": told, "random_seed": 0})
    write_run(tmp_path, "b", [row(i, acc=1.0) for i in range(3)], config={"model_args": "pretrained=b,seed=1"})
    cases = podium.read(tmp_path)
    assert cases.algorithms == ("a", "b")
    assert cases.samples[:, 0].tolist() == [[0.0, 1.0]] * 3


def test_a_topic_is_a_cluster_where_somebody_says_so(tmp_path):

    for model in "ab":
        write_run(tmp_path, model, [row(i, acc=1.0) for i in range(4)])
    assert len(set(podium.read(tmp_path, cluster_column="topic").clusters)) == 2
    kept = podium.read(tmp_path, where="topic == 't1'")
    assert isinstance(kept, Cases)
    assert kept.n_cases == 2


def test_old_files_without_hash_filter_or_list_of_metrics(tmp_path):
    for model in "ab":
        place = tmp_path / model
        place.mkdir()
        rows = [
            {k: v for k, v in row(i, acc=1.0).items() if k not in ("filter", "metrics", "doc_hash")} for i in range(3)
        ]
        place.joinpath("sums.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    cases = podium.read(tmp_path)
    assert cases.algorithms == ("a", "b")
    assert cases.n_cases == 3


def test_groups_do_not_count_twice(tmp_path):
    for model, score in (("a", 0.5), ("b", 0.7)):
        results = {
            "results": {"arith": {"acc,none": 9.0}, "add": {"acc,none": score}, "sub": {"acc,none": score}},
            "group_subtasks": {"arith": ["add", "sub"]},
            "versions": {},
            "configs": {},
            "model_name": model,
            "higher_is_better": {"add": {"acc": True}},
        }
        tmp_path.joinpath(f"{model}.json").write_text(json.dumps(results), encoding="utf-8")
    assert podium.read(tmp_path).scores().datasets == ("add", "sub")


def test_tasks_with_another_number_of_examples_are_of_another_system(tmp_path):
    """Where every task has its own number, the run as a whole has none."""
    for run, shots in (("x", {"sums": 0, "capitals": 5}), ("y", {"sums": 8, "capitals": 25})):
        write_run(tmp_path / run, "a", [row(i, acc=1.0) for i in range(3)], **{"n-shot": shots})
    assert podium.read(tmp_path).algorithms == ("a (num_fewshot=0 for sums)", "a (num_fewshot=8 for sums)")


def test_groups_within_groups_are_one_group(tmp_path):
    groups = {"mmlu": ["mmlu_a", "mmlu_b"], "mmlu_a": ["a1", "a2"], "mmlu_b": ["b1"]}
    for model in "ab":
        write_run(tmp_path, model, [])
        (path,) = (tmp_path / model).glob("results_*")
        held = json.loads(path.read_text())
        names = ("mmlu", "mmlu_a", "a1", "a2", "mmlu_b", "b1", "arc")
        held |= {"results": {name: {"acc,none": 0.5} for name in names}, "group_subtasks": groups}
        path.write_text(json.dumps(held))
    with refuses(DataError, "where"):
        podium.read(tmp_path)
    assert podium.read(tmp_path, where="group == 'mmlu'").datasets == ("a1", "a2", "b1")


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zst"])
def test_documents_may_be_packed(tmp_path, ending):
    for model, score in (("a", 1.0), ("b", 0.0)):
        write_run(tmp_path, model, [row(i, acc=score) for i in range(3)])
        (plain,) = (tmp_path / model).glob("samples_*")
        with OPENERS[ending](f"{plain}{ending}", "wb") as packed:
            packed.write(plain.read_bytes())
        plain.unlink()
    assert podium.read(tmp_path).scores.tolist() == [1, 0]
    (own,) = (tmp_path / "a").glob("samples_*")
    own.write_bytes(own.read_bytes()[:-9])
    with pytest.raises(DataError, match="samples_sums"):
        podium.read(own)
