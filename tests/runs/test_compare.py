"""`compare` recognises runs, explains what it does, and repeats itself."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import podium
from podium.cli.main import app
from podium.comparison.compare import reproduce
from podium.core.errors import PodiumError
from podium.report.comparison import comparison_data
from podium.report.documents import document
from podium.report.render_html import render_html
from podium.report.render_latex import render_latex
from podium.report.render_text import render_text
from refusals import refuses


def table(agents=3, tasks=12, runs=4, *, gain=0.4, seed=0, game="game"):
    rng = np.random.default_rng(seed)
    base = rng.normal(1, 0.5, tasks)
    rows = [
        (f"agent {i}", f"task {j}", r, base[j] + gain * i + 0.1 * rng.standard_normal())
        for i in range(agents)
        for j in range(tasks)
        for r in range(runs)
    ]
    return pd.DataFrame(rows, columns=["agent", game, "seed", "return"])


def test_a_column_of_games_makes_runs():
    found = podium.compare(table())
    assert found.facts.unit == "run"
    assert found.choice("aggregate") == "iqm"
    assert (
        found.verdict.headline == "Agent 2 is significantly better than each of the other two."
        or found.verdict.headline.startswith("agent 2")
    )
    assert [row.algorithm for row in found.ranking] == ["agent 2", "agent 1", "agent 0"]
    assert all(row.low < row.mean_score < row.high for row in found.ranking)


def test_datasets_with_seeds_stay_datasets():
    found = podium.compare(
        table(game="dataset")
        .rename(columns={"agent": "algorithm", "return": "accuracy"})
        .assign(accuracy=lambda f: f.accuracy / 10)
    )
    assert found.facts.unit == "dataset"
    again = podium.compare(table(game="dataset").rename(columns={"agent": "algorithm"}), unit="run")
    assert again.facts.unit == "run"
    assert podium.compare(table(), unit="dataset", direction="higher").facts.unit == "dataset"


def test_rewards_without_a_column_of_tasks_are_runs_on_one(tmp_path):
    """What a first look at a new agent gives: its name, the seed, the mean reward."""
    frame = table(tasks=1, runs=8).drop(columns="game").rename(columns={"agent": "algo", "return": "mean_reward"})
    found = podium.compare(frame)
    assert (found.facts.unit, found.facts.n_tasks, found.facts.fewest_runs) == ("run", 1, 8)
    assert "mean mean" not in str(found)
    with_task = podium.compare(frame.assign(env="Hopper"))
    assert found.pairs.pvalue.tolist() == with_task.pairs.pvalue.tolist()
    accuracies = frame.rename(columns={"mean_reward": "accuracy"}).assign(accuracy=frame.mean_reward / 10)
    with refuses(PodiumError, "unit", "test_fraction"):  # another seed, or another split of the data?
        podium.compare(accuracies)
    assert podium.compare(accuracies, unit="run").facts.n_tasks == 1
    assert podium.compare(accuracies, test_fraction=0.2).facts.unit == "fold"
    with refuses(PodiumError, "dataset_column"):  # a text that may name tasks is asked about
        podium.compare(frame.assign(map=["a", "b"] * 12), unit="run")


def test_seeds_in_columns_are_runs_where_somebody_says_so():
    long = table(tasks=3)
    wide = (
        long.pivot(index=["game", "agent"], columns="seed", values="return")
        .rename(columns="seed {}".format)
        .reset_index()
    )
    as_scores = podium.compare(wide, unit="dataset", metric="return")
    assert "(seeds), the unit 'run'" in as_scores.remarks[0].sentence  # three datasets alone show nothing

    as_runs = podium.compare(wide, unit="run", metric="return")
    np.testing.assert_array_equal(as_runs.pairs.pvalue, podium.compare(long, unit="run").pairs.pvalue)


def test_few_tasks_are_compared_by_the_mean():
    assert podium.compare(table(tasks=4)).choice("aggregate") == "mean"
    named = podium.compare(table(tasks=4), aggregate="iqm")
    assert "few tasks" in [remark.topic for remark in named.remarks]


def test_seeds_that_go_against_each_other_are_said_with_a_true_minus():
    found = podium.compare(Path(__file__).parents[2] / "docs/data/agents.csv", unit="run")
    (seeds,) = [remark.sentence for remark in found.remarks if remark.topic == "seeds"]
    assert "correlate by \u22120.04 between" in seeds


def test_pairing_is_said():
    found = podium.compare(table())
    assert found.choice("paired") == "no"
    seeds = next(remark.sentence for remark in found.remarks if remark.topic == "seeds")
    assert "share 4 seeds" in seeds
    paired = podium.compare(table(), paired=True)
    assert paired.choice("paired") == "yes"
    assert "same seed were compared" in paired.methods_paragraph
    frame = table()
    frame.loc[frame.agent == "agent 0", "seed"] += 50
    other = podium.compare(frame)
    assert "do not have the same seeds" in next(c.because for c in other.choices if c.question == "paired")
    with refuses(PodiumError, "paired"):
        podium.compare(frame, paired=True)


def test_scales_are_made_comparable_or_the_reader_is_warned():
    frame = table()
    frame.loc[frame.game == "task 3", "return"] *= 1000
    assert podium.compare(frame).choice("normalise") == "minmax"
    raw = podium.compare(frame, normalise="none")
    assert ("normalisation", "warning") in [(remark.topic, remark.weight) for remark in raw.remarks]
    given = podium.compare(frame, normalise={f"task {j}": (0, 1) for j in range(12)})
    assert given.choice("normalise") == "references"


def wide(size, scale=8.0, by=3.0):
    """Five tasks on which the second agent is ahead by one standard deviation; on the last, `scale` times as wide, it is behind by more."""
    rng = np.random.default_rng(5)
    gains = np.array([1, 1, 1, 1, -by])
    runs = {
        name: (rng.standard_normal((size, 5)) + place * gains) * [1, 1, 1, 1, scale]
        for place, name in enumerate(["first", "second"])
    }
    return {name: {f"t{j}": own[:, j] for j in range(5)} for name, own in runs.items()}


@pytest.mark.parametrize("flat", [False, True])
def test_a_caution_where_tasks_of_one_weight_each_decide_otherwise(flat):
    """No range is ten times as wide as another, yet one task decides which mean is larger: the other four say the opposite."""
    scores = wide(30, scale=4.0, by=2.0)
    if flat:  # a task on which all are equal says nothing, whatever the scale
        scores = {name: {**own, "t5": np.ones(30)} for name, own in scores.items()}
    found = podium.compare(scores, metric="return", unit="run")
    assert found.choice("normalise") == "none"
    assert found.pairs.better(0.05)[0, 1]
    (said,) = [remark for remark in found.remarks if remark.topic == "normalisation"]
    assert said.weight == "caution"
    assert "first and second" in said.sentence
    assert "t4" in said.sentence
    other = podium.compare(wide(30, scale=4.0, by=2.0), metric="return", unit="run", normalise="minmax")
    assert not other.pairs.better(0.05)[0, 1]  # it is true
    same = podium.compare(wide(30, scale=1.0, by=-1.0), metric="return", unit="run")
    assert "normalisation" not in [remark.topic for remark in same.remarks]


def test_shares_have_one_scale_on_every_task():
    """A success rate is from 0 to 1 on each task, however far the scores spread there: none is to be stretched."""
    rng = np.random.default_rng(1)
    wins = {
        name: {"easy": rng.random(30) * 0.8 - 0.4 + at, "hard": 0.1 * rng.random(30) + 0.3 - 0.2 * (at - 0.5)}
        for name, at in (("a", 0.45), ("b", 0.55))
    }
    found = podium.compare(wins, metric="success_rate", unit="run", normalise="none")
    assert "normalisation" not in [remark.topic for remark in found.remarks]


def test_very_many_tasks_of_one_scale_stay_as_they_are():
    """The narrowest of a thousand ranges of four scores is narrow by chance."""
    assert podium.compare(table(agents=2, tasks=300, runs=2)).choice("normalise") == "none"


def test_a_task_without_a_range_is_passed_over_or_named():
    frame = table()
    frame.loc[frame.game == "task 0", "return"] = 5.0
    assert podium.compare(frame).choice("normalise") == "none"
    frame.loc[frame.game == "task 3", "return"] *= 1000
    with refuses(PodiumError, "where", "normalise"):
        podium.compare(frame)
    raw = podium.compare(frame, normalise="none")
    assert ("normalisation", "warning") in [(remark.topic, remark.weight) for remark in raw.remarks]
    assert podium.compare(frame, where="game != 'task 0'").choice("normalise") == "minmax"


def test_scores_of_a_thousand_millions_are_compared_as_small_ones_are():
    frame = table()
    large = podium.compare(frame.assign(**{"return": 1e9 * frame["return"]}))
    assert large.pairs.pvalue == pytest.approx(podium.compare(frame).pairs.pvalue)


def test_every_agent_with_a_single_run_is_told_what_is_left():
    frame = table(runs=1)
    with refuses(PodiumError, "unit"):
        podium.compare(frame)


def test_atari_games_are_human_normalised():
    rng = np.random.default_rng(0)
    data = {
        name: {game: one.zero + (one.one - one.zero) * (level + 0.1 * rng.standard_normal(3)) for game, one in podium.runs.atari_scores(only_100k=True).items()}
        for name, level in (("a", 0.3), ("b", 0.6))
    }  # fmt: skip
    found = podium.compare(data)
    assert found.choice("normalise") == "human"
    assert found.ranking[0].mean_score == pytest.approx(0.6, abs=0.05)
    assert "optimality_gap" in found.extra("aggregates").aggregates


def test_a_gap_below_one_needs_scores_below_one():
    frame = table()
    high = frame.assign(**{"return": frame["return"].abs() + 100})
    with refuses(PodiumError, "normalise", "aggregate"):
        podium.compare(high, aggregate="optimality_gap")
    podium.compare(high, aggregate="optimality_gap", normalise="minmax")
    said = {remark.topic: remark.sentence for remark in podium.compare(frame, aggregate="optimality_gap").remarks}
    assert "only if 1 is the score to reach" in said["normalisation"]


def test_it_repeats_itself_and_is_written_in_every_form():
    frame = table(runs=3)
    frame = frame[~((frame.agent == "agent 1") & (frame.seed == 2))]
    for settings in (
        {},
        {"control": "agent 0"},
        {"aggregate": "optimality_gap", "normalise": "minmax"},
        {"algorithms": ["agent 0", "agent 1"]},
    ):
        found = podium.compare(frame, **settings)
        again = reproduce(json.loads(json.dumps(found.repeatable())))
        assert comparison_data(again)["pairs"] == comparison_data(found)["pairs"]
        assert comparison_data(again)["choices"] == comparison_data(found)["choices"]
        made = document(found)
        assert "agent 0" in render_text(made)
        assert "run_profiles" in str([b.key for s in made.sections for b in s.blocks if hasattr(b, "key")])
        render_html(made)
        render_latex(made)


def test_lower_is_better_is_respected():
    found = podium.compare(table().rename(columns={"return": "regret"}), direction="lower", value_column="regret")
    assert found.ranking[0].algorithm == "agent 0"
    assert found.pairs.pair("agent 0", "agent 2").details["improvement"] > 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rope": 0.1}, "is for algorithms that are compared over datasets"),
        ({"test": "wilcoxon"}, "set `unit` to 'dataset'"),
        ({"aggregate": "median"}, "no test of pairs"),
        ({"normalise": "human"}, "no Atari game"),
        ({"normalise": "nothing"}, "neither"),
        ({"control": "nobody"}, "nobody"),
    ],
)
def test_what_runs_do_not_have_is_refused(options, message):
    with pytest.raises(PodiumError, match=message):
        podium.compare(table(), **options)


def test_arguments_for_runs_are_refused_elsewhere():
    scores = pd.DataFrame({"dataset": ["x", "y", "z"], "a": [0.1, 0.2, 0.3], "b": [0.2, 0.3, 0.5]})
    with refuses(PodiumError, "aggregate"):
        podium.compare(scores, metric="accuracy", aggregate="iqm")


def test_a_single_run_names_who_to_leave_out():
    frame = table()
    frame = frame[~((frame.agent == "agent 1") & (frame.seed > 0))]
    with refuses(PodiumError, "algorithms", "unit"):
        podium.compare(frame)
    assert podium.compare(frame, algorithms=["agent 0", "agent 2"]).facts.n_algorithms == 2


def test_copies_of_one_run_are_told():
    frame = table()
    frame["return"] = frame.groupby(["agent", "game"])["return"].transform("first")
    found = podium.compare(frame)
    assert "runs that never vary" in [remark.topic for remark in found.remarks]
    assert not found.pairs.better(0.05).any()


def test_show_tells_what_runs_there_are(tmp_path):
    file = tmp_path / "runs.csv"
    frame = table(tasks=3)
    frame[~((frame.agent == "agent 1") & (frame.seed == 2))].to_csv(file, index=False)
    done = CliRunner().invoke(app, ["show", str(file), "--json", str(tmp_path / "x.json")])
    assert done.exit_code == 0, done.output
    assert "3 agents on 3 tasks, 3 to 4 runs of each agent on each task" in " ".join(done.output.split())
    text = (tmp_path / "x.json").read_text()
    assert '"best"' in text
    assert json.loads(text)["notes"][0].startswith("runs.csv was read as runs")


def test_the_command_line(tmp_path):
    file = tmp_path / "runs.csv"
    table().to_csv(file, index=False)
    done = CliRunner().invoke(app, ["compare", str(file), "--html", str(tmp_path / "page.html")])
    assert done.exit_code == 0, done.output
    assert "4 runs of each agent" in done.output
    assert "interquartile mean" in done.output
    full = CliRunner().invoke(app, ["compare", str(file), "--full"])
    assert "runs.csv was read as runs" in full.output
    again = CliRunner().invoke(app, ["compare", "--from", str(tmp_path / "page.html")])
    assert "the result is the same" in again.output
    (tmp_path / "refs.csv").write_text("task,zero,one\n" + "".join(f"task {j},0,2\n" for j in range(12)))
    given = CliRunner().invoke(
        app,
        [
            "compare",
            str(file),
            "--normalise",
            str(tmp_path / "refs.csv"),
            "--aggregate",
            "mean",
            "--json",
            str(tmp_path / "x.json"),
        ],
    )
    assert given.exit_code == 0, given.output
    (tmp_path / "refs.csv").unlink()  # the JSON carries the reference scores
    assert "the result is the same" in CliRunner().invoke(app, ["compare", "--from", str(tmp_path / "x.json")]).output
    wrong = CliRunner().invoke(app, ["compare", str(file), "--rope", "0.1"])
    assert isinstance(wrong.exception, PodiumError)  # which the program shows in one sentence, with exit code 2


@pytest.mark.parametrize("tasks", [12, 50])
def test_what_intervals_of_few_runs_may_miss_stands_below_them(tasks):
    """Where interquartile means are compared, the table of aggregates has intervals of means and of medians besides."""
    rng = np.random.default_rng(0)
    made = podium.compare({name: rng.normal(size=(5, tasks)) for name in "ab"}, direction="higher", unit="run")
    note = next(extra.note for extra in made.extras if extra.key == "aggregates")
    assert "interval of the median of the tasks may miss the truth (" in note
    assert ("none may be among these 60." in note) == (tasks == 12)


def test_one_task_is_not_spoken_of_as_several():
    rows = [("ant", agent, seed, 10.0 * place + seed) for place, agent in enumerate("ab") for seed in range(5)]
    found = podium.compare(pd.DataFrame(rows, columns=["env", "agent", "seed", "episode_return"]))
    assert "We compared 2 agents on the same task with 5 runs of each agent (" in found.methods_paragraph
    assert "each task" not in found.verdict.on_what
    assert next(choice.because for choice in found.choices if choice.answer == "none") == "there is only one task"
