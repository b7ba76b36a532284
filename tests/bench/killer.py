"""Runs a suite in a forked driver, kills the driver with -9 at random moments, and in the end lets it finish.

Arguments: the store, how often to kill, a seed, and "mixed" for SIGTERM and SIGHUP as well. Tasks run inside the driver, so that each start costs nothing
and most kills hit the middle of the work: a computation, a file of predictions, a transaction.
"""

import os
import random
import signal
import sys
import time

from bench.tools import InsideEngine, algorithm, suite
from podium.bench.execute import execute
from podium.bench.plan import make_plan
from podium.bench.protocols import Protocol
from podium.bench.runner import run as run_suite
from podium.bench.store import open_store

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)


def drive(plan, path):
    with open_store(path, write=True) as store:
        run_suite(plan, store, engine=InsideEngine())


def main():
    path, kills, dice = sys.argv[1], int(sys.argv[2]), random.Random(sys.argv[3])
    protocol = Protocol(kind="cv", repeats=20, folds=10, search="none")
    plan = make_plan(suite([algorithm("Majority"), algorithm("nb")], protocol=protocol))
    execute(plan.job(plan.tasks[1]))  # imports and caches, before the first fork
    hit = 0
    for turn in range(kills + 1):
        child = os.fork()
        if child == 0:
            drive(plan, path)
            os._exit(0)
        if turn < kills:
            time.sleep(dice.uniform(0.005, 0.08))
            os.kill(child, dice.choice(SIGNALS) if "mixed" in sys.argv else signal.SIGKILL)
        hit += os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    sys.stdout.write(f"{hit} {len(plan.tasks)}\n")


if __name__ == "__main__":
    main()
