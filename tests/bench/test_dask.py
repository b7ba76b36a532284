"""Dask carries the same tasks to the same scores, also when one of its workers is killed on the way."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading

import pytest

from bench.tools import InsideEngine, algorithm, scores_of, suite
from podium.bench.engines import dask_engine
from podium.bench.runner import run as run_suite
from podium.bench.store import open_store
from podium.core.errors import ArgumentError, MissingPackageError
from waiting import eventually

pytestmark = pytest.mark.filterwarnings("ignore")


def test_dask_with_a_worker_killed_gives_the_local_scores(tmp_path):
    what = suite(["nb", "lvq", algorithm("Pause", params={"seconds": 0.2}), "Thrower"], repeats=2)
    with open_store(tmp_path / "local.db", write=True) as store:
        local = run_suite(what, store, engine=InsideEngine())
        expected = scores_of(store)
    engine = dask_engine("local", jobs=2)
    killed = []

    def watch(progress):
        if progress.done >= 2 and not killed:
            killed.append(worker_pids(engine)[0])
            os.kill(killed[0], signal.SIGKILL)

    with open_store(tmp_path / "dask.db", write=True) as store:
        summary = run_suite(what, store, engine=engine, watch=watch)
        found = scores_of(store)
        run = store.rows("SELECT engine, slots FROM run")
    assert killed
    assert found == expected
    assert summary.total_counts == local.total_counts == {"error": 4, "ok": 12}
    assert run == [("dask local", 2)]
    eventually(lambda: not guards_of(killed[0]))  # the guarded worker does not outlive the Dask worker


def worker_pids(engine):
    client = engine._executor._client
    return sorted(client.run(os.getpid).values())


def guards_of(pid):
    """Workers of guards whose parent was the killed Dask worker (or init, after it died) and that still live."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as line, open(f"/proc/{name}/stat") as stat:
                fields = stat.read().rpartition(")")[2].split()
                if b"podium.bench.supervisor" in line.read() and fields[0] != "Z" and int(fields[1]) in (1, pid):
                    found.append(int(name))
        except OSError:
            continue
    return found


def test_a_scheduler_that_does_not_answer_is_a_sentence():
    with pytest.raises(ArgumentError, match=r"No Dask scheduler answers at 'nowhere': "):
        dask_engine("nowhere", jobs=1)


def test_slurm_without_its_package_is_a_sentence(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "dask_jobqueue", None)
    with pytest.raises(MissingPackageError, match=r"Running on SLURM needs the package 'dask-jobqueue'"):
        dask_engine("slurm", jobs=2)
    assert threading.active_count() < 20


def test_slots_follow_workers_that_join_late():
    from concurrent.futures import ThreadPoolExecutor

    from podium.bench import engines

    workers = [1]
    with ThreadPoolExecutor(4) as pool:
        engine = engines.ExecutorEngine(pool, jobs=lambda: len(workers))
        assert engine.jobs == 1
        workers += [2, 3, 4]
        engine._looked -= 10
        engine._follow()
        assert engine.jobs == 4


def test_the_logs_and_warnings_of_dask_do_not_reach_the_terminal(tmp_path):
    """Nor does that somebody else's Dask on this machine has the usual port."""
    code = (
        "import logging; from podium.bench.engines import dask_engine\n"
        "if __name__ == '__main__':\n"
        "    engine = dask_engine('local', jobs=1)\n"
        "    logging.getLogger('distributed.nanny').warning('Restarting worker')\n"
        "    engine.close()\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code)
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # it is somebody else's already
            stack.enter_context(socket.create_server(("127.0.0.1", 8787)))
        ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("", "")
