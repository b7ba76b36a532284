"""Training logs as people have them: Stable-Baselines3, RL Zoo, CleanRL, Weights & Biases, Dopamine.

Formats were taken from the writers: stable_baselines3 2.9.2 (`common/monitor.py`, `common/callbacks.py`, `common/logger.py`), whose own
files were compared with what is made here; CleanRL's scripts (`run_name = f"{args.env_id}__{args.exp_name}__{args.seed}__..."`,
`charts/episodic_return` by torch's SummaryWriter); exports of Weights & Biases as in mila-iqia/spr, `analysis/*.csv`; Dopamine's
`baselines/atari/data/*.json`.
"""

import json
import struct

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.errors import PodiumError
from podium.evidence.runs import Runs
from podium.reading.event_files import scalars_in
from podium.reading.options import ReadOptions
from podium.reading.runs import read_runs
from podium.reading.training_names import named
from refusals import refuses

# --- What the tools write --------------------------------------------------------------------------------------------


def monitor(path, rewards, *, env="CartPole-v1", start=100.0, times=None, extra=""):
    """A monitor.csv of Stable-Baselines3: a line of JSON, a header, an episode per row."""
    path.parent.mkdir(parents=True, exist_ok=True)
    times = range(1, len(rewards) + 1) if times is None else times
    tail = ",True" if extra else ""
    rows = "".join(f"{float(r)},10,{t}{tail}\n" for r, t in zip(rewards, times, strict=True))
    path.write_text(f'#{{"t_start": {start}, "env_id": "{env}"}}\nr,l,t{extra}\n{rows}')


def evaluations(path, results, every=500):
    """An evaluations.npz of EvalCallback: steps, and evaluations x episodes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    results = np.asarray(results, dtype=float)
    steps = every * np.arange(1, len(results) + 1)
    np.savez(path, timesteps=steps, results=results, ep_lengths=np.ones(results.shape, dtype=int))


def progress(path, rewards, evaluated):
    """A progress.csv of the logger: rows of rollouts and rows of evaluations, other cells blank."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["rollout/ep_rew_mean,time/fps,time/total_timesteps,eval/mean_reward,train/loss"]
    for i, (reward, score) in enumerate(zip(rewards, evaluated, strict=True)):
        lines += [f"{reward},1000,{500 * i + 250},,", f",,{500 * (i + 1)},{score},0.1"]
    path.write_text("\n".join(lines) + "\n")


def _bytes(number, value):
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(value):
    out = b""
    while value >= 128:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def events(path, tags):
    """An event file of TensorBoard; `tags` are lists of (step, value). Checksums are not looked at and are zero here."""
    path.parent.mkdir(parents=True, exist_ok=True)
    records = [_varint(1 << 3 | 1) + struct.pack("<d", 1.0) + _bytes(3, b"brain.Event:2")]
    for tag, values in tags.items():
        for step, value in values:
            inner = _bytes(1, tag.encode()) + _varint(2 << 3 | 5) + struct.pack("<f", value)
            records.append(_varint(2 << 3) + _varint(step) + _bytes(5, _bytes(1, inner)))
    path.write_bytes(b"".join(struct.pack("<QI", len(r), 0) + r + b"\0\0\0\0" for r in records))


def zoo(root, agents=("ppo", "a2c"), tasks=("CartPole-v1", "Acrobot-v1"), runs=(1, 2, 3)):
    """The folders of RL Zoo, with all that lies in them."""
    for i, agent in enumerate(agents):
        for j, task in enumerate(tasks):
            for run in runs:
                home = root / agent / f"{task}_{run}"
                monitor(home / "0.monitor.csv", [0] * 20 + [10 * i + j + run / 10] * 100, env=task)
                evaluations(home / "evaluations.npz", [[0, 0], [100 * i + run, 100 * i + run + 2]])
                progress(home / "progress.csv", [1, 10 * i + run], [0, 100 * i + run + 1])
                (home / task).mkdir()
                (home / task / "config.yml").write_text("seed: 1\n")
                (home / "best_model.zip").write_bytes(b"PK\x03\x04")
    (root / "README.md").write_text("# My runs\n")


# --- Stable-Baselines3 and RL Zoo ------------------------------------------------------------------------------------


def test_folders_of_rl_zoo(tmp_path):
    zoo(tmp_path)
    found = podium.read(tmp_path)
    assert (found.algorithms, found.tasks) == (("a2c", "ppo"), ("Acrobot-v1", "CartPole-v1"))
    assert found.of("a2c")[1].tolist() == pytest.approx([10.1, 10.2, 10.3])
    assert found.seeds == ()  # the number of a training of RL Zoo is no seed
    assert "2 agents ('a2c', 'ppo') on 2 tasks" in found.notes[0]
    assert "mean of its last 100 episodes" in found.notes[1]
    assert any("'rollout/ep_rew_mean' or 'eval/mean_reward'" in note for note in found.notes)


def algo_env(root):
    """RL Zoo's benchmark: a folder `algo-env` for each, with one training."""
    for agent in ("a2c", "ppo", "ppo_lstm"):
        for task in ("CartPole-v1", "HalfCheetahBulletEnv-v0"):
            if (agent, task) != ("ppo_lstm", "CartPole-v1"):
                monitor(root / "benchmark" / f"{agent}-{task}" / "0.monitor.csv", [len(agent)] * 120, env=task)


@pytest.mark.parametrize("unit", [None, "dataset"])
def test_folders_that_name_agent_and_environment_at_once(tmp_path, unit):
    algo_env(tmp_path)
    table = podium.read(tmp_path, unit=unit).scores().table()
    assert table.algorithms == ("a2c", "ppo", "ppo_lstm")
    assert table.datasets == ("CartPole-v1", "HalfCheetahBulletEnv-v0")
    assert np.isnan(table.values).sum() == 1
    assert np.nanmax(table.values, axis=1).tolist() == [3.0, 8.0]


def test_trainings_are_the_repeats_of_datasets_where_somebody_says_so(tmp_path):
    zoo(tmp_path)
    scores = podium.read(tmp_path, unit="dataset").scores()
    assert (scores.metric.name, scores.metric.direction) == ("episode return", "higher")
    assert scores.values.shape == (2, 2, 3, 1)
    assert scores.table().values[1].tolist() == pytest.approx(podium.read(tmp_path).means[1].tolist())
    only = podium.read(tmp_path, where="agent == 'ppo' and task != 'Acrobot-v1'")
    assert (only.algorithms, only.tasks) == (("ppo",), ("CartPole-v1",))


@pytest.mark.parametrize(("above", "below"), [("", ""), ("logs", ""), ("work/logs", "")])
def test_folders_above_do_not_name_agents(tmp_path, above, below):
    zoo(tmp_path / above)
    assert read_runs(tmp_path).algorithms == ("a2c", "ppo")


def test_two_experiments_are_not_mixed(tmp_path):
    zoo(tmp_path / "old")
    zoo(tmp_path / "new")
    assert read_runs(tmp_path).algorithms == ("new/a2c", "new/ppo", "old/a2c", "old/ppo")


def test_the_measure_can_be_chosen(tmp_path):
    zoo(tmp_path)
    found = read_runs(tmp_path, ReadOptions(metric="eval/mean_reward"))
    assert found.of("a2c")[0].tolist() == [102.0, 103.0, 104.0]  # the mean of the last evaluation
    assert found.metric.direction == "higher"
    (tmp_path / "a2c" / "CartPole-v1_1" / "evaluations.npz").unlink()
    assert read_runs(tmp_path, ReadOptions(metric="eval/mean_reward")).of("a2c")[1, 0] == 102.0  # from progress.csv
    assert read_runs(tmp_path, ReadOptions(metric="rollout/ep_rew_mean")).of("a2c")[0].tolist() == [11.0, 12.0, 13.0]
    losses = read_runs(tmp_path, ReadOptions(metric="train/loss", direction="lower"))
    assert losses.values.max() == 0.1
    with refuses(PodiumError, "metric"):
        read_runs(tmp_path, ReadOptions(metric="success"))


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_score_that_is_no_number_is_refused(tmp_path, bad):
    cleanrl(tmp_path)
    home = tmp_path / "runs" / "CartPole-v1__dqn__1__1665000001"
    events(home / "events.out.tfevents.1665000001.host.1.0", {"charts/episodic_return": [(1, 2.0), (2, bad)]})
    with pytest.raises(PodiumError, match=r"dqn__1__1665000001.*is not a number"):
        read_runs(tmp_path)
    rows = [{"Iteration": i, "Value": bad, "Agent": agent} for agent in "ab" for _ in range(2) for i in range(3)]
    (tmp_path / "dopamine").mkdir()
    (tmp_path / "dopamine" / "pong.json").write_text(json.dumps(rows))
    with pytest.raises(PodiumError):
        read_runs(tmp_path / "dopamine")


def test_arrays_that_are_no_evaluations_are_named(tmp_path):
    zoo(tmp_path)
    file = tmp_path / "ppo" / "CartPole-v1_1" / "evaluations.npz"
    np.savez(file, x=np.ones(3))
    with refuses(PodiumError, "results"):
        read_runs(tmp_path)
    np.savez(file, timesteps=np.arange(2), results=np.array([[1.0, 2.0], [3.0, np.nan]]))
    with refuses(PodiumError, "results"):
        read_runs(tmp_path)


def test_only_evaluations_or_only_progress(tmp_path):
    for agent, level in (("ppo", 10), ("sac", 20)):
        for seed in (3, 4):
            evaluations(
                tmp_path / "e" / agent / f"seed_{seed}" / "evaluations.npz", [[0.0, 0.0], [level, level + seed]]
            )
            progress(tmp_path / "p" / agent / f"seed_{seed}" / "progress.csv", [0, level + seed], [0, 1])
    found = read_runs(tmp_path / "e")
    assert found.of("sac").tolist() == [[21.5, 22.0]]
    assert found.seeds == ("3", "4")
    assert any("No file or folder names an environment" in note for note in found.notes)
    assert read_runs(tmp_path / "p").of("ppo").tolist() == [[13.0, 14.0]]


def test_trainings_that_lack_the_measure_are_not_dropped(tmp_path):
    zoo(tmp_path)
    for file in (tmp_path / "ppo").rglob("*"):
        if file.name in ("0.monitor.csv", "progress.csv"):
            file.unlink()
    found = read_runs(tmp_path)
    assert found.metric.name == "eval/mean_reward"  # what all of them have
    (tmp_path / "ppo" / "CartPole-v1_1" / "evaluations.npz").unlink()
    monitor(tmp_path / "ppo" / "CartPole-v1_1" / "0.monitor.csv", [1.0])
    with refuses(PodiumError, "metric"):
        read_runs(tmp_path)


def test_a_training_that_was_taken_up_again_keeps_the_order_of_its_rows(tmp_path):
    """Stable-Baselines appends to a monitor with `override_existing=False`, and its clock starts at 0 again."""
    for agent in ("ppo", "a2c"):
        for run in (1, 2):
            path = tmp_path / agent / f"CartPole-v1_{run}" / "monitor.csv"
            monitor(path, [1] * 150 + [9] * 100, times=[*range(150), *range(100)])
    assert read_runs(tmp_path).values.tolist() == [[[9.0, 9.0], [9.0, 9.0]]]
    assert podium.read(tmp_path, unit="dataset").frame["value"].tolist() == [9.0] * 4


def test_environments_of_one_training_are_merged_by_the_clock(tmp_path):
    for agent in ("ppo", "a2c"):
        for run in (1, 2):
            home = tmp_path / agent / f"CartPole-v1_{run}"
            monitor(home / "0.monitor.csv", [1] * 100 + [5] * 50, extra=",is_success")
            monitor(home / "1.monitor.csv", [1] * 100 + [7] * 50)
    assert (read_runs(tmp_path).values == 6.0).all()


def test_monitors_with_names_of_their_own_are_trainings(tmp_path):
    for agent, level in (("ppo", 5), ("a2c", 7)):
        for seed in (1, 2):
            monitor(tmp_path / agent / f"seed{seed}.monitor.csv", [level + seed] * 120)
        monitor(tmp_path / agent / "eval.monitor.csv", [1000] * 120)  # of the environment for evaluations
    found = read_runs(tmp_path)
    assert (found.algorithms, found.seeds) == (("a2c", "ppo"), ("1", "2"))
    assert found.of("ppo").tolist() == [[6.0, 7.0]]
    for agent in ("ppo", "a2c"):
        for seed in (1, 2):
            monitor(tmp_path / "flat" / f"{agent}_{seed}.monitor.csv", [seed] * 120)
    assert read_runs(tmp_path / "flat").algorithms == ("a2c", "ppo")


def test_one_training_has_one_environment(tmp_path):
    zoo(tmp_path)
    monitor(tmp_path / "ppo" / "CartPole-v1_1" / "1.monitor.csv", [1.0], env="Acrobot-v1")
    with pytest.raises(PodiumError, match="of two environments, CartPole-v1 and Acrobot-v1"):
        read_runs(tmp_path)


def test_trainings_without_an_episode_are_left_out_and_named(tmp_path):
    zoo(tmp_path)
    home = tmp_path / "ppo" / "CartPole-v1_4"
    monitor(home / "0.monitor.csv", [])
    (tmp_path / "ppo" / "CartPole-v1_5").mkdir()
    (tmp_path / "ppo" / "CartPole-v1_5" / "0.monitor.csv").write_text("")
    found = read_runs(tmp_path)
    assert found.counts.max() == 3
    assert any("no episode ended" in note and "'ppo/CartPole-v1_4'" in note for note in found.notes)


def test_trainings_that_were_ended_early_are_told(tmp_path):
    zoo(tmp_path)
    evaluations(tmp_path / "ppo" / "CartPole-v1_1" / "evaluations.npz", [[1.0, 1.0]], every=300)
    notes = read_runs(tmp_path, ReadOptions(metric="eval/mean_reward")).notes
    assert any("on CartPole-v1 from 300 to 1000 steps" in note for note in notes)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("0.monitor.csv", '#{"t_start": 1, "env_id": "CartPole-v1"}\nr,l,t\n1.0,10\n', "line 3, is not an episode"),
        ("0.monitor.csv", '#{"t_start": 1\nr,l,t\n1.0,10,2\n', "is not a monitor file that can be read"),
        ("progress.csv", 'rollout/ep_rew_mean,time/total_timesteps\nx,"1\n', "cannot be read as a table"),
        ("evaluations.npz", "nothing", "evaluations.npz.* is damaged or not what its name says"),
    ],
)
def test_damaged_files_are_named(tmp_path, name, content, message):
    zoo(tmp_path)
    (tmp_path / "ppo" / "CartPole-v1_1" / name).write_text(content)
    with pytest.raises(PodiumError, match=message):
        read_runs(tmp_path)


# --- Names of folders ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("folders", "tasks", "expected"),
    [
        # agent/seed, with the environment in the file
        (["ppo/seed_1", "ppo/seed_2", "a2c/seed_1"], ["Ant-v4"] * 3, [("ppo", "1"), ("ppo", "2"), ("a2c", "1")]),
        # agent/environment/seed and environment/agent/seed
        (["ppo/Ant-v4/1", "a2c/Ant-v4/1"], ["", ""], [("ppo", ""), ("a2c", "")]),
        (["Ant-v4/ppo/s1", "Ant-v4/a2c/s2"], ["", ""], [("ppo", "1"), ("a2c", "2")]),
        # all in one name
        (["ppo_Ant-v4_seed3", "a2c-Ant-v4-seed=3"], ["", ""], [("ppo", "3"), ("a2c", "3")]),
        (["ppo_CartPole-v1_1", "a2c_CartPole-v1_1"], ["", ""], [("ppo", ""), ("a2c", "")]),
        # Stable-Baselines' numbers of runs; numbers that are none
        (["PPO_1", "PPO_2", "DQN_1", "DQN_2"], [""] * 4, [("PPO", ""), ("PPO", ""), ("DQN", ""), ("DQN", "")]),
        (["ppo_64", "ppo_128"], ["", ""], [("ppo_64", ""), ("ppo_128", "")]),
        # a label for each run below the agent
        (["ppo/swift-sun-1", "ppo/old-owl-2", "a2c/x1y2z3", "a2c/9f8e7d"], ["Ant-v4"] * 4, [("ppo", ""), ("ppo", ""), ("a2c", ""), ("a2c", "")]),
        (["on/ppo", "on/trpo", "off/sac", "off/dqn"], ["Ant-v4"] * 4, [("on/ppo", ""), ("on/trpo", ""), ("off/sac", ""), ("off/dqn", "")]),
        (["S4/s1", "S5/s1"], ["Ant-v4"] * 2, [("S4", "1"), ("S5", "1")]),
        (["ppo/2024-01-02_03-04-05", "a2c/2024-01-02_03-04-06"], ["Ant-v4"] * 2, [("ppo", ""), ("a2c", "")]),
    ],
)  # fmt: skip
def test_folders_name_agents_and_seeds(folders, tasks, expected):
    found = named([tuple(folder.split("/")) for folder in folders], tasks, "root")
    assert [(one.agent, one.seed) for one in found] == expected
    assert len({one.task for one in found}) == 1


def test_a_task_that_only_some_name_is_asked_for():
    with pytest.raises(PodiumError, match="which environment"):
        named([("ppo", "Ant-v4_1"), ("ppo", "x")], ["", ""], "root")
    with pytest.raises(PodiumError, match="which agent"):
        named([("ppo", "Ant-v4_1"), ("Ant-v4_2",)], ["", ""], "root")


# --- CleanRL ---------------------------------------------------------------------------------------------------------


def cleanrl(root, seeds=(1, 2, 3), agents=(("dqn", 10), ("ppo", 14))):
    for task in ("CartPole-v1", "Acrobot-v1"):
        for agent, level in agents:
            for seed in seeds:
                curve = [(10 * i, level + seed + i) for i in range(150)]
                home = root / "runs" / f"{task}__{agent}__{seed}__16650000{seed:02d}"
                tags = {"charts/episodic_return": curve, "charts/SPS": [(0, 5.0)]}
                events(home / f"events.out.tfevents.16650000{seed:02d}.host.1.0", tags)


def test_event_files_of_cleanrl(tmp_path):
    cleanrl(tmp_path)
    for place in (tmp_path, tmp_path / "runs"):
        found = read_runs(place)
        assert (found.algorithms, found.seeds) == (("dqn", "ppo"), ("1", "2", "3"))
        assert found.of("dqn")[0].tolist() == pytest.approx([10 + seed + 99.5 for seed in (1, 2, 3)])
    compared = podium.compare(tmp_path, paired=True)
    assert compared.choice("paired") == "yes"


def test_event_files_of_something_else_are_no_runs(tmp_path):
    events(tmp_path / "bert" / "events.out.tfevents.1.h", {"loss": [(1, 0.5)]})
    (tmp_path / "scores.csv").write_text("dataset,a,b\nx,0.5,0.6\ny,0.7,0.8\n")
    assert not isinstance(podium.read(tmp_path, metric="accuracy"), Runs)
    for agent in ("ppo", "a2c"):
        for run in (1, 2):
            events(tmp_path / "tb" / f"{agent}_{run}" / "events.out.tfevents.1.h", {"own/score": [(1, 0.5), (2, run)]})
    found = read_runs(tmp_path / "tb", ReadOptions(metric="own/score", direction="higher"))
    assert found.of("ppo").tolist() == [[1.0, 2.0]]


def test_a_seed_that_ran_twice_does_not_pair(tmp_path):
    cleanrl(tmp_path)
    again = tmp_path / "runs" / "CartPole-v1__dqn__1__1665999999"
    events(again / "events.out.tfevents.1.h", {"charts/episodic_return": [(0, 1.0)]})
    found = read_runs(tmp_path)
    assert found.seeds == ()
    assert found.counts.max() == 4


def test_an_event_file_that_was_cut_off_is_read_as_far_as_it_goes(tmp_path):
    path = tmp_path / "events.out.tfevents.1.h"
    events(path, {"a": [(1, 1.5), (2, 2.5), (-1, 0.5)][:2]})
    whole = path.read_bytes()
    assert scalars_in(path) == {"a": [(1, 1.5), (2, 2.5)]}
    path.write_bytes(whole[:-3])
    assert scalars_in(path) == {"a": [(1, 1.5)]}
    path.write_bytes(struct.pack("<QI", 3, 0) + b"\x07\xff\xff" + b"\0\0\0\0")
    with pytest.raises(PodiumError, match="not an event file"):
        scalars_in(path)


# --- Weights & Biases ------------------------------------------------------------------------------------------------


def curves(rows=50, name="{task}__{agent}__{seed}__1665000000"):
    table = {"Step": range(0, 10 * rows, 10)}
    for task in ("CartPole-v1", "Acrobot-v1"):
        for agent, level in (("dqn", 10), ("ppo", 14)):
            for seed in (1, 2, 3):
                run = name.format(task=task, agent=agent, seed=seed)
                values = [level + seed + i if (i + seed) % 2 else None for i in range(rows)]
                for end in ("", "__MIN", "__MAX"):
                    table[f"{run} - charts/episodic_return{end}"] = values
    return pd.DataFrame(table)


def test_curves_of_weights_and_biases():
    found = podium.read(curves())
    assert (found.algorithms, found.seeds) == (("dqn", "ppo"), ("1", "2", "3"))
    # 25 values of each run, of which the last three count
    assert found.of("dqn")[0].tolist() == pytest.approx([11 + 46, 12 + 47, 13 + 46])
    with pytest.raises(PodiumError, match="does not say agent, environment and seed"):
        podium.read(curves(name="swift-sun-{task}{agent}{seed}"))
    with pytest.raises(PodiumError, match="does not say agent, environment and seed"):
        podium.read(curves(name="exp_name: {agent}{task}{seed}"))


def test_the_table_of_runs_of_weights_and_biases():
    rows = [
        (f"{task}__{agent}__{seed}__1", "finished", "me", 500000, task, agent, seed, level + seed, 490000 + seed)
        for task in ("CartPole-v1", "Acrobot-v1")
        for agent, level in (("dqn", 10), ("ppo", 14))
        for seed in (1, 2, 3)
    ]
    names = [
        "Name",
        "State",
        "User",
        "total_timesteps",
        "env_id",
        "exp_name",
        "seed",
        "charts/episodic_return",
        "global_step",
    ]
    table = pd.DataFrame(rows, columns=names)
    found = podium.read(table)
    assert found.of("ppo").tolist() == [[15.0, 16.0, 17.0]] * 2
    assert len(found.notes) == 1
    table.loc[[2, 5], "State"] = ["crashed", "running"]
    assert "2 rows with a score are marked 'crashed', 'running' in 'State', and count" in podium.read(table).notes[1]
    assert podium.read(table, where="State == 'finished'").counts.min() == 2


def test_steps_of_a_history_are_those_that_change():
    rows = [(task, agent, seed, 5000, 10 * i, seed + i) for task in ("Pong", "Alien") for agent in "ab" for seed in (1, 2) for i in range(40)]  # fmt: skip
    table = pd.DataFrame(
        rows, columns=["env_id", "exp_name", "seed", "total_timesteps", "global_step", "episodic_return"]
    )
    found = podium.read(table.sample(frac=1, random_state=0))
    assert sorted(found.of("a")[0]) == pytest.approx([1 + 37.5, 2 + 37.5])


# --- Games in columns, Dopamine --------------------------------------------------------------------------------------


def test_games_in_columns():
    rows = [(agent, seed, 10 * i + seed, i - seed) for i, agent in enumerate("ab") for seed in (1, 2, 3)]
    table = pd.DataFrame(rows, columns=["agent", "seed", "Alien", "BankHeist"])
    found = podium.read(table)
    assert found.tasks == ("Alien", "BankHeist")
    assert found.of("b").tolist() == [[11.0, 12.0, 13.0], [0.0, -1.0, -2.0]]
    assert found.seeds == ("1", "2", "3")
    other = table.rename(columns={"Alien": "hopper", "BankHeist": "walker"})
    assert podium.read(other, unit="run").tasks == ("hopper", "walker")
    mixed = table.rename(columns={"BankHeist": "episode_length"})
    with refuses(PodiumError, "value_column"):
        podium.read(mixed, unit="run")


@pytest.mark.parametrize("blocks", [True, False])
def test_curves_of_dopamine(tmp_path, blocks):
    for game in ("alien", "pong"):
        rows = [
            {"Iteration": i, "Value": 100.0 * a + 10 * run + i, "Agent": agent}
            for a, agent in enumerate(("DQN", "Rainbow"))
            for run, i in sorted(((r, i) for r in range(3) for i in range(20)), key=lambda p: p if blocks else p[::-1])
        ]
        (tmp_path / f"{game}.json").write_text(json.dumps(rows, indent=1))
    (tmp_path / "alien.vg.json").write_text(json.dumps({"mark": "line"}))
    found = podium.read(tmp_path)
    assert found.tasks == ("alien", "pong")
    assert found.of("Rainbow").tolist() == [[118.5, 128.5, 138.5]] * 2
    assert "'alien.vg.json'" in found.notes[-1]


# --- Folders of results ----------------------------------------------------------------------------------------------


def test_files_of_another_kind_are_left_out_and_named(tmp_path):
    for name, scores in {"dqn": [3.0, 5.0], "ppo": [2.0, 4.0]}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({"Pong": scores, "Alien": scores}))
    (tmp_path / "README.md").write_text("# Runs\n")
    (tmp_path / "config.json").write_text(json.dumps({"gamma": 0.99, "layers": [64, 64]}))
    (tmp_path / "evals.json").write_text(json.dumps([{"game": "Pong", "HNS": 0.1}]))
    (tmp_path / ".hidden").write_text("x")
    assert podium.read(tmp_path).algorithms == (
        "dqn",
        "ppo",
    )  # games by name, several runs each: nobody need say that they are runs
    found = read_runs(tmp_path)
    assert found.algorithms == ("dqn", "ppo")
    assert "'README.md', 'config.json'" in found.notes[-1]
    assert any("normalised: 'evals'" in note for note in found.notes)
    (tmp_path / "sac.json").write_text('{"Pong": [1.0, 2.0]')
    with pytest.raises(PodiumError, match=r"sac\.json is not valid JSON"):
        read_runs(tmp_path)


# --- Damage ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["0.monitor.csv", "progress.csv", "evaluations.npz", "events.out.tfevents.1.h"])
def test_damaged_logs_are_read_or_refused_in_a_sentence(tmp_path, name):
    """Bytes changed, cut and repeated at random: a number or a `PodiumError`, never another error."""
    zoo(tmp_path, tasks=("CartPole-v1",), runs=(1, 2))
    home = tmp_path / "ppo" / "CartPole-v1_1"
    events(home / "events.out.tfevents.1.h", {"rollout/ep_rew_mean": [(i, float(i)) for i in range(20)]})
    whole = (home / name).read_bytes()
    rng = np.random.default_rng(len(name))
    refused = 0
    for _ in range(40):
        data = bytearray(whole)
        for place in rng.integers(len(data), size=rng.integers(1, 6)):
            data[place] = rng.integers(256)
        end = rng.integers(1, len(data) + 1)
        (home / name).write_bytes(bytes(data[:end]) + bytes(data[: rng.integers(0, 20)]))
        try:
            found = read_runs(tmp_path)
            assert found.counts.max() <= 3
        except PodiumError:
            refused += 1
    assert refused > 0


# --- Names and curves ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", ["benchmark/{a}-{e}", "{a}-{e}/{a}-{e}_1", "{a}/{e}_1"])
def test_rl_zoo_names_agent_and_environment_where_the_monitor_does_not(tmp_path, layout):
    for agent in ("ppo", "a2c"):
        for task in ("CartPole-v1", "Acrobot-v1"):
            folder = tmp_path / layout.format(a=agent, e=task)
            folder.mkdir(parents=True)
            rows = "".join(f"{i},10,{i}\n" for i in range(5))
            (folder / "0.monitor.csv").write_text('#{"t_start": 1.0, "env_id": "None"}\nr,l,t\n' + rows)
    results = podium.read(tmp_path, unit="dataset")
    assert (set(results.algorithms), set(results.datasets)) == ({"ppo", "a2c"}, {"CartPole-v1", "Acrobot-v1"})


def test_curves_of_one_row_are_trainings(tmp_path):
    """As sfujim/TD3 publishes its learning curves: Walker/TD3_Walker2d-v1_0.npy, a return for each evaluation."""
    for folder, task in (("Ant", "Ant-v1"), ("Walker", "Walker2d-v1")):
        for agent in ("TD3", "DDPG"):
            for run in range(3):
                path = tmp_path / folder / f"{agent}_{task}_{run}.npy"
                path.parent.mkdir(exist_ok=True)
                np.save(path, np.arange(20.0) + run)
    runs = podium.read(tmp_path)
    assert (runs.algorithms, runs.tasks) == (("DDPG", "TD3"), ("Ant-v1", "Walker2d-v1"))
    assert sorted(runs.values[0, 0].tolist()) == [18.5, 19.5, 20.5]  # the mean of the last tenth, two of twenty
    np.save(tmp_path / "Ant" / "TD3_Ant-v1_0.npy", np.array([]))
    with pytest.raises(PodiumError, match="is not a curve"):
        podium.read(tmp_path)
