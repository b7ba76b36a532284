"""How long an order of 1000 algorithms on 200 datasets takes, given the decisions (no peer does this)."""

import time

import numpy as np

from podium.ordering._multi2test import ranks_from_decisions
from podium.ordering.costs import Costs


def run():
    rng = np.random.default_rng(0)
    datasets, k = 200, 1000
    better = rng.random((datasets, k, k)) < 0.2
    better &= ~better.transpose(0, 2, 1)
    costs = Costs(
        names=("cost",),
        values=rng.random((1, datasets, k)),
        datasets=tuple(f"d{i}" for i in range(datasets)),
        algorithms=tuple(f"a{i}" for i in range(k)),
    )
    start = time.perf_counter()
    ranks_from_decisions(better, costs, errors=rng.random((datasets, k)))
    seconds = time.perf_counter() - start
    return [
        {
            "what": "order 1000 algorithms on 200 datasets, given the decisions",
            "podium_seconds": seconds,
            "peer": "none",
            "peer_seconds": None,
            "ratio": None,
            "note": "no peer implements Multi2Test",
        }
    ]


if __name__ == "__main__":
    for row in run():
        print(row)
