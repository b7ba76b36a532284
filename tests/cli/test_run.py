"""The commands of the bench, as a user types them."""

import io
import os
import pty
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest

from podium.bench.machine import jump
from program import podium

SUITE = """datasets = ["iris", "wine"]
algorithms = ["nb", "5nn"]
[protocol]
kind = "holdout"
search = "none"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    (folder / "small.toml").write_text(SUITE)
    done = podium("run", "small.toml", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "small.db: 4 tasks planned: 4 ok.\n"
    return folder


def test_running_again_says_what_was_there(folder):
    again = podium("run", "small.toml", cwd=folder)
    assert (again.returncode, again.stdout) == (0, "small.db: 4 tasks planned: 4 ok (4 were there before).\n")


def test_the_plan_can_be_seen_before_it_runs(folder):
    shown = podium("run", "small.toml", "--plan", "--store", "never.db", cwd=folder)
    assert "small: 4 tasks = 2 datasets x 2 algorithms x 1 repeat x 1 fold (holdout)" in shown.stdout
    assert "iris: 150 cases, 4 features, 3 classes, hash " in shown.stdout
    assert not (folder / "never.db").exists()


def test_status_collect_export_and_rescore(folder):
    status = podium("status", "small.db", cwd=folder)
    assert "small: 4 tasks planned: 4 ok. Processes of a task are found by their " in status.stdout
    collected = podium("collect", "small.db", cwd=folder)
    assert "error, mean over repeats and folds" in collected.stdout
    assert "iris" in collected.stdout
    for suffix, read in ((".csv", pd.read_csv), (".parquet", pd.read_parquet)):
        done = podium("export", "small.db", "-o", f"out{suffix}", cwd=folder)
        frame = read(folder / f"out{suffix}")
        assert done.stdout == f"out{suffix}: {len(frame)} rows.\n"
        assert (frame["metric"] == "error").sum() == 4
    assert podium("rescore", "small.db", "--metrics", "auc", cwd=folder).stdout == "auc: 4 scores.\n"
    wide = podium("collect", "small.db", "--metric", "auc", "-o", "auc.csv", cwd=folder)
    assert wide.stdout == "auc.csv: 2 datasets.\n"
    assert (pd.read_csv(folder / "auc.csv")[["nb", "5nn"]] > 0.9).all(axis=None)


@pytest.mark.parametrize(
    "words, message",
    [
        (["run", "nothing.toml"], "podium: There is no suite 'nothing.toml'"),
        (["run", "bad.toml"], "podium: bad.toml, line 1: Unknown dataset 'irs': did you mean 'iris'?"),
        (["run", "small.toml", "--retry", "all"], "podium: --retry must be 'ok', 'error'"),
        (["run", "small.toml", "--dask", "x"], "podium: --dask must be 'local' or 'slurm'; got 'x'."),
        (["run", "small.toml", "--dask", "local", "--scheduler", "y"], "podium: Give --scheduler or --dask, not both."),
        (["run", "small.toml", "--scheduler", ""], "podium: --scheduler must not be empty"),
        (["run", "small.toml", "--shard", ""], "podium: --shard must not be empty"),
        (["run", "small.toml", "--store", ""], "podium: --store must not be empty"),
        (["run", "small.toml", "--dask", ""], "podium: --dask must not be empty"),
        (["status", "nothing.db"], "podium: There is no results database 'nothing.db'"),
        (["export", "small.db", "-o", "out.txt"], "podium: --output must end in .csv or .parquet; got 'out.txt'."),
        (["rescore", "small.db", "--metrics", "auk"], "podium: Unknown metric 'auk': did you mean 'auc'?"),
    ],
)
def test_mistakes_are_one_sentence_and_code_two(folder, words, message):
    (folder / "bad.toml").write_text('datasets = ["irs"]\nalgorithms = ["nb"]\n')
    done = podium(*words, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1


def test_the_plan_gives_every_reason_for_what_it_would_skip(tmp_path):
    (tmp_path / "s.toml").write_text(
        SUITE.replace('"wine"', '{ keel = "none-such", optional = true }').replace(
            '"5nn"', '{ name = "zz", class = "no_such_package.X", optional = true }'
        )
    )
    shown = podium("run", "s.toml", "--plan", cwd=tmp_path).stdout.splitlines()
    assert shown[2] == "  none-such: not available here"
    assert shown[4].startswith("  1 task would be skipped: The class 'no_such_package.X' needs the package")
    assert shown[5].startswith("  2 tasks would be skipped: ")


def test_several_causes_may_be_tried_again(folder):
    again = podium("run", "small.toml", "--retry", "timeout,crash", "--retry", "ok", "--jobs", "1", cwd=folder)
    assert (again.returncode, again.stdout) == (0, "small.db: 4 tasks planned: 4 ok.\n")
    assert podium("run", "small.toml", "--retry", "crash", "--retry", "al", cwd=folder).returncode == 2


def test_ctrl_c_while_planning_is_one_line(folder, monkeypatch):
    def interrupted(suite):
        raise KeyboardInterrupt

    monkeypatch.setattr("podium.bench.plan.make_plan", interrupted)
    done = podium("run", "small.toml", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "podium: stopped.\n")


def test_the_live_table_has_a_line_per_algorithm_and_any_name(monkeypatch):
    import rich.console

    from podium.bench.runner import AlgorithmProgress, Progress
    from podium.cli.run_display import display

    screen = io.StringIO()
    console = rich.console.Console(file=screen, force_terminal=True, width=80, color_system=None)
    monkeypatch.setattr(rich.console, "Console", lambda stderr: console)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    algorithms = (
        AlgorithmProgress(name="rf [/b]", ok=100, failed=2, left=122, eta=3700.0),
        AlgorithmProgress(name="svm", ok=224, failed=0, left=0, eta=0.0),
    )
    running = ("rf / a 0.1", "svm / b 0.0")
    state = Progress(total=448, done=326, failed=2, running=running, eta=3700.0, longest=65.0, algorithms=algorithms)
    with display("my [/b] suite", quiet=False) as show:
        show(state)
    lines = screen.getvalue().splitlines()
    assert any("my [/b] suite" in line for line in lines)
    forest = [line.split() for line in lines if "rf [/b]" in line]
    assert forest[-1][-4:] == ["100", "2", "122", "1:01:40"]
    machine = [line.split() for line in lines if line.startswith("svm")]
    assert machine[-1][-3:] == ["224", "0", "0"]  # nothing is left, and no time
    said = " ".join(" ".join(lines).split())
    assert "326 of 448 done, 2 failed, about 1:01:40 left, 2 running (longest: rf / a 0.1, 0:01:05)" in said


def test_a_log_is_plain_lines(monkeypatch, capsys):
    from podium.bench.runner import AlgorithmProgress, Progress
    from podium.cli.run_display import display

    now = iter(range(0, 1000, 6))
    monkeypatch.setattr("time.monotonic", lambda: float(next(now)))
    monkeypatch.setattr("sys.stderr.isatty", lambda: False, raising=False)

    def state(done, left):
        each = AlgorithmProgress(name="knn", ok=done - 1, failed=1, left=left, eta=5.0)
        return Progress(
            total=4, done=done, failed=1, running=("knn / a 0.1",), eta=5.0, longest=2.0, algorithms=(each,)
        )

    with display("s", quiet=False) as show:
        for done in (1, 2, 3, 4, 4):
            show(state(done, 4 - done))
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "2 of 4 done, 1 failed, about 0:00:05 left, 1 running (longest: knn / a 0.1, 0:00:02)"
    assert said[-1] == "knn is done: 3 ok, 1 failed"  # once
    assert all("\x1b" not in line for line in said)


FAILING = """datasets = ["iris"]
algorithms = ["nb", { name = "sleepy", class = "sleepy.Sleepy" }]
limits = { seconds = 1 }
[protocol]
kind = "holdout"
search = "none"
"""


def test_failures_are_listed_and_the_code_is_one(tmp_path):
    (tmp_path / "s.toml").write_text(FAILING)
    (tmp_path / "sleepy.py").write_text(
        "import time\nfrom sklearn.naive_bayes import GaussianNB\n"
        "class Sleepy(GaussianNB):\n    def fit(self, X, y):\n        time.sleep(600)\n"
    )
    done = podium("run", "s.toml", "--jobs", "1", cwd=tmp_path)
    assert done.returncode == 1
    assert "s.db: 2 tasks planned: 1 ok, 1 timeout." in done.stdout
    assert "  timeout: sleepy / iris (repeat 0, fold 0): stopped after the limit of 1 seconds" in done.stdout
    listed = podium("status", "s.db", "--failures", cwd=tmp_path)
    assert "timeout  sleepy     iris     stopped after" in listed.stdout


def test_ctrl_c_on_a_terminal_stops_cleanly(tmp_path):
    (tmp_path / "s.toml").write_text(FAILING.replace("seconds = 1", "seconds = 600"))
    (tmp_path / "sleepy.py").write_text(
        "import time\nfrom sklearn.naive_bayes import GaussianNB\n"
        "class Sleepy(GaussianNB):\n    def fit(self, X, y):\n        time.sleep(600)\n"
    )
    screen, terminal = pty.openpty()
    command = [
        sys.executable,
        "-c",
        "from podium.cli.main import run; run()",
        "run",
        "s.toml",
        "--jobs",
        "1",
        "--retry",
        "crash",
    ]
    streams = {"stdin": terminal, "stdout": terminal, "stderr": terminal}
    with subprocess.Popen(command, cwd=tmp_path, start_new_session=True, **streams) as driver:
        os.close(terminal)
        try:
            seen = read_until(screen, b"1 of 2 done")
            driver.send_signal(signal.SIGINT)
            seen += read_until(screen, b"Go on with: podium run s.toml --jobs 1 --retry crash")
            assert driver.wait() == 130
        finally:
            driver.kill()
            os.close(screen)
    assert b"stopped: 2 tasks planned:" in seen


def read_until(screen, words, seconds=60):
    """What stands on the screen; the time in which the machine itself was suspended does not count."""
    seen, now = b"", time.monotonic()
    end = now + seconds
    while words not in seen:
        assert now < end, seen
        seen += os.read(screen, 4096)
        before, now = now, time.monotonic()
        end += jump(before, now)
    return seen


def test_decimal_commas_are_asked_about_in_the_words_of_the_suite(tmp_path):
    rows = "".join(f"{i},5;{'ab'[i % 2]}\n" for i in range(120))
    (tmp_path / "d.csv").write_text(f"x;class\n{rows}")
    suite = 'algorithms = ["nb"]\nmetrics = ["accuracy"]\n[protocol]\nfolds = 2\n[[datasets]]\nfile = "d.csv"\n'
    (tmp_path / "s.toml").write_text(suite)
    refused = podium("run", "s.toml", "--plan", cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "holds '0,5', not a number: give `decimal_comma` if the comma is a decimal comma." in refused.stderr
    (tmp_path / "s.toml").write_text(f"{suite}decimal_comma = true\n")
    assert podium("run", "s.toml", "--plan", cwd=tmp_path).returncode == 0
