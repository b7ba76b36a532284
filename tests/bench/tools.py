"""Small suites for the tests of the bench."""

from pathlib import Path

from podium.bench.engines import Done
from podium.bench.execute import execute
from podium.bench.learners.catalog import LEARNERS
from podium.bench.protocols import Protocol
from podium.bench.spec import AlgorithmSpec, DatasetSpec, Limits, Suite

HERE = str(Path(__file__).parent)


def algorithm(name, **more):
    """An algorithm of the catalogue, or one that goes wrong (`faulty.X`)."""
    if name[0].isupper():
        return AlgorithmSpec(name=name, path=f"faulty.{name}", **more)
    return AlgorithmSpec(name=name, learner=name, path=LEARNERS[name].path, **more)


def suite(algorithms, *, datasets=("iris",), seconds=20.0, memory_mb=1024, repeats=1, name="small", **more):
    """A suite under a 2-fold protocol without search, unless asked otherwise."""
    protocol = more.pop("protocol", Protocol(kind="cv", repeats=repeats, folds=2, search="none"))
    return Suite(
        name=name,
        datasets=tuple(DatasetSpec(name=d, source="builtin") if isinstance(d, str) else d for d in datasets),
        algorithms=tuple(algorithm(a) if isinstance(a, str) else a for a in algorithms),
        protocol=protocol,
        limits=Limits(seconds=seconds, memory_mb=memory_mb),
        paths=(HERE,),
        **more,
    )


def scores_of(store):
    """What must not depend on where and when a suite ran: predictions' scores, not times."""
    return sorted(
        store.rows(
            "SELECT t.dataset, t.algorithm, t.repeat, t.fold, s.metric, s.value FROM task t JOIN score s USING (key) "
            "WHERE s.metric IN ('error', 'cv_error', 'auc')"
        )
    )


class InsideEngine:
    """Runs tasks in the driver itself: no worker to start."""

    name, jobs = "inside", 1

    def run(self, jobs):
        for job in jobs:
            outcome = execute(job)
            if outcome.message.startswith("KeyboardInterrupt (stopping.py"):
                raise KeyboardInterrupt  # meant for the driver: a worker, for which `execute` is made, never gets it
            yield Done(job.key, outcome)

    def running(self):
        return {}

    def close(self):
        pass
