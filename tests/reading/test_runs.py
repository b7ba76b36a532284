"""Runs are read from tables, dicts, arrays, JSON and training logs; what is not certain is asked."""

import json

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.errors import PodiumError
from podium.reading.options import ReadOptions
from podium.reading.runs import looks_like_runs, read_runs
from refusals import refuses


def long(agents=("a", "b"), games=("Pong", "Alien"), seeds=(1, 2, 3), **names):
    header = {"agent": "agent", "game": "game", "seed": "seed", "score": "score", **names}
    rows = [
        (agent, game, seed, 10 * i + j + seed / 10)
        for i, agent in enumerate(agents)
        for j, game in enumerate(games)
        for seed in seeds
    ]
    return pd.DataFrame(rows, columns=list(header.values()))


def test_a_long_table():
    found = read_runs(long())
    assert (found.algorithms, found.tasks, found.seeds) == (("a", "b"), ("Pong", "Alien"), ("1", "2", "3"))
    assert found.values[1, 1].tolist() == pytest.approx([11.1, 11.2, 11.3])
    assert "agent = 'agent', task = 'game', run = 'seed', value = 'score'" in found.notes[0]


def test_cleanrl_names():
    frame = long(agent="exp_name", game="env_id", score="charts/episodic_return")
    found = read_runs(frame)
    assert found.algorithms == ("a", "b")
    assert found.metric.direction == "higher"


@pytest.mark.parametrize("value", ["return", "mean_reward", "episodic_return"])
def test_returns_on_tasks_are_runs(value, tmp_path):
    long(agent="method", game="task", score=value).to_csv(tmp_path / "runs.csv", index=False)
    found = podium.read(tmp_path / "runs.csv")
    assert isinstance(found, podium.Runs)
    assert (found.tasks, found.metric.direction) == (("Pong", "Alien"), "higher")


def test_accuracies_on_tasks_are_scores_of_datasets(tmp_path):
    long(agent="method", game="task", score="accuracy").to_csv(tmp_path / "runs.csv", index=False)
    assert isinstance(podium.read(tmp_path / "runs.csv"), podium.Results)


def test_unequal_numbers_and_seeds_of_their_own_are_allowed():
    frame = long()
    frame = frame[~((frame.agent == "b") & (frame.seed == 3))]
    found = read_runs(frame)
    assert found.counts.tolist() == [[3, 2], [3, 2]]
    assert found.seeds == ()
    assert "every agent has '1', '2' on every task" in found.notes[-1]  # pairs are left, if the others go
    assert read_runs(frame[frame.seed < 3]).seeds == ("1", "2")
    other = long()
    other.loc[other.agent == "b", "seed"] += 100
    assert read_runs(other).seeds == ()
    assert len(read_runs(other).notes) == 1


def test_rows_in_another_order_keep_their_seeds():
    shuffled = long().sample(frac=1, random_state=0)
    found = read_runs(shuffled)
    again = found.select(("a", "b"))
    order = [again.tasks.index(game) for game in ("Pong", "Alien")]
    assert again.values[order].tolist() == read_runs(long()).values.tolist()


def test_a_training_is_one_run_whatever_its_steps():
    frame = pd.concat([long().assign(global_step=step, score=long().score + step) for step in range(300)])
    found = read_runs(frame)
    assert found.counts.tolist() == [[3, 3], [3, 3]]
    assert found.values[0, 0, 0] == pytest.approx(0.1 + np.arange(270, 300).mean())  # the last tenth
    assert "Steps of one training are not repeats" in " ".join(found.notes)
    with refuses(PodiumError, "seed_column"):
        read_runs(frame.drop(columns="seed"))


def test_rows_without_a_number_are_runs():
    found = read_runs(long().drop(columns="seed"))
    assert found.counts.tolist() == [[3, 3], [3, 3]]
    assert "every row is a run" in " ".join(found.notes)


def test_blank_scores_are_left_out_and_counted():
    frame = long()
    frame.loc[0, "score"] = np.nan
    found = read_runs(frame)
    assert found.counts[0, 0] == 2
    assert "1 row without a score was left out." in found.notes


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: pd.concat([f, f.assign(score=f.score + 1)]), "more than one score on 'Pong' in the run '1'"),
        (
            lambda f: f.assign(score=f.score.astype(str)).replace({"score": {"0.1": "oops"}}),
            "column 'score', is 'oops'",
        ),
        (lambda f: f.rename(columns={"agent": "x"}), "which column names the agents"),
        (lambda f: f.rename(columns={"score": "x"}), "which column has the scores"),
        (lambda f: f[~((f.agent == "b") & (f.game == "Pong"))], "'b' has no run on 'Pong'"),
        (lambda f: f.assign(game=None), "fill in column .game."),
    ],
)
def test_bad_tables_are_refused_in_one_sentence(change, message):
    with pytest.raises(PodiumError, match=message):
        read_runs(change(long()))


def test_columns_can_be_named():
    frame = long(agent="x", game="y", seed="z", score="w")
    options = ReadOptions(
        algorithm_column="x", dataset_column="y", seed_column="z", value_column="w", direction="higher"
    )
    assert read_runs(frame, options).counts.tolist() == [[3, 3], [3, 3]]


def test_arrays_and_json(tmp_path):
    a, b = np.arange(6.0).reshape(3, 2), np.arange(4.0).reshape(2, 2)
    np.savez(tmp_path / "scores.npz", a=a, b=b)
    assert read_runs(tmp_path / "scores.npz").counts.tolist() == [[3, 2], [3, 2]]
    (tmp_path / "one.json").write_text(
        json.dumps({"a": {"Pong": [1, 2], "Alien": [3, 4, 5]}, "b": {"Pong": [1], "Alien": [2]}})
    )
    found = read_runs(tmp_path / "one.json")
    assert found.counts.tolist() == [[2, 1], [3, 1]]
    (tmp_path / "rows.json").write_text(json.dumps({"a": a.tolist(), "b": b.tolist()}))
    assert read_runs(tmp_path / "rows.json").counts.tolist() == [[3, 2], [3, 2]]
    folder = tmp_path / "agents"
    folder.mkdir()
    np.save(folder / "a.npy", a)
    np.save(folder / "b.npy", b)
    assert read_runs(folder).algorithms == ("a", "b")
    np.save(folder / "c.npy", np.array([{"x": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(PodiumError, match="Python objects, which are not read"):
        read_runs(folder)
    assert looks_like_runs(tmp_path / "scores.npz")
    assert looks_like_runs(tmp_path / "one.json")


def test_human_and_random_are_no_agents(tmp_path):
    for name, scores in {"dqn": [3.0, 5.0], "ppo": [2.0, 4.0], "HUMAN": [6.0], "RANDOM": [1.0]}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({"Pong": scores}))
    found = read_runs(tmp_path)
    assert found.algorithms == ("dqn", "ppo")
    assert found.references == {"Pong": (1.0, 6.0)}
    (tmp_path / "list.json").write_text("[1, 2]")
    assert "'list.json'" in read_runs(tmp_path).notes[-1]  # left out, and said


def monitor(path, env, returns, start=0.0):
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = "\n".join(f"{r},10,{start + i}" for i, r in enumerate(returns))
    path.write_text(f'#{{"t_start": 1.0, "env_id": "{env}"}}\nr,l,t\n{rows}\n')


def test_monitors_of_stable_baselines(tmp_path):
    for agent, level in (("ppo", 10), ("a2c", 5)):
        for run in (1, 2, 3):
            monitor(
                tmp_path / agent / f"CartPole-v1_{run}" / "0.monitor.csv", "CartPole-v1", [0] * 50 + [level + run] * 100
            )
    monitor(
        tmp_path / "ppo" / "CartPole-v1_1" / "1.monitor.csv", "CartPole-v1", [0] * 20
    )  # an early one of the same training
    found = read_runs(tmp_path)
    assert found.tasks == ("CartPole-v1",)
    assert found.of("ppo").tolist() == [[11.0, 12.0, 13.0]]
    assert "of one training are not repeats" in " ".join(found.notes)
    monitor(tmp_path / "monitor.csv", "CartPole-v1", [1])  # in no folder
    with pytest.raises(PodiumError, match="which agent"):
        read_runs(tmp_path)


def test_cross_validation_is_not_taken_for_runs():
    assert not looks_like_runs({"svm": {"test_score": [1, 2], "fit_time": [1, 2]}})
    assert not looks_like_runs({"svm": [1.0, 2.0], "knn": [1.0, 3.0]})
    folds = {"svm": {"iris": [0.9, 0.8], "wine": [0.7, 0.9]}, "knn": {"iris": [0.8, 0.8], "wine": [0.6, 0.9]}}
    assert not looks_like_runs(folds)  # the folds of two datasets
