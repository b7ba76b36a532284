"""`--dask slurm` on a real SLURM: `make slurm` starts one of one node; elsewhere these tests are skipped."""

import shutil
import subprocess

import pytest

from bench.tools import InsideEngine, algorithm, scores_of, suite
from podium.bench.engines import dask_engine
from podium.bench.runner import run as run_suite
from podium.bench.store import open_store
from podium.core.errors import ArgumentError


def idle_nodes():
    """Whether a SLURM answers here."""
    return subprocess.run(["sinfo", "-h"], capture_output=True, check=False).stdout if shutil.which("sinfo") else b""


needs_slurm = pytest.mark.skipif(not idle_nodes(), reason="no SLURM answers here: `make slurm` starts one")
pytestmark = pytest.mark.filterwarnings("ignore")


@needs_slurm
def test_all_jobs_cancelled_on_the_way_are_replaced_and_the_scores_are_the_local_ones(tmp_path):
    what = suite(["nb", algorithm("Pause", params={"seconds": 0.5}), "Thrower"], repeats=3)
    with open_store(tmp_path / "local.db", write=True) as store:
        run_suite(what, store, engine=InsideEngine())
        expected = scores_of(store)
    cancelled = []

    def watch(progress):
        if progress.done >= 3 and not cancelled:
            cancelled.extend(jobs())
            subprocess.run(["scancel", *cancelled], check=True)

    with open_store(tmp_path / "slurm.db", write=True) as store:
        engine = dask_engine("slurm", jobs=2, options={"log_directory": str(tmp_path), "walltime": "00:10:00"})
        summary = run_suite(what, store, engine=engine, watch=watch)
        assert scores_of(store) == expected
    assert cancelled
    assert summary.total_counts == {"error": 6, "ok": 12}
    assert not set(jobs()) & set(cancelled)


def jobs():
    """The numbers of the jobs that are not over."""
    return subprocess.run(["squeue", "-h", "-o", "%i"], capture_output=True, text=True, check=True).stdout.split()


@needs_slurm
def test_jobs_that_slurm_refuses_are_a_sentence():
    with pytest.raises(
        ArgumentError, match=r"SLURM refuses the jobs \(.*artition.*\): correct the suite's \[dask\] table"
    ):
        dask_engine("slurm", jobs=1, options={"queue": "nowhere"})


def test_options_that_nobody_knows_are_a_sentence():
    with pytest.raises(ArgumentError, match=r"dask-jobqueue refuses the suite's \[dask\] table: .*'colour'\.$"):
        dask_engine("slurm", jobs=1, options={"colour": "red"})


def test_no_slurm_at_all_is_a_sentence(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ArgumentError, match=r"no `sbatch` on this machine: start the run where SLURM takes jobs"):
        dask_engine("slurm", jobs=1)
