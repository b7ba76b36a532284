"""Numbers of rliable 1.2.0 on small scores, for tests/runs. Needs an environment with rliable and pandas below 3.

python tests/reference/make_rliable.py   # writes rliable.json beside
"""

import json
from pathlib import Path

import numpy as np

SHAPES = ((4, 3, 6), (5, 26, 5), (2, 8, 3), (3, 57, 3), (10, 1, 4))  # runs of a, tasks, runs of b
THRESHOLDS = [-0.5, 0.0, 0.5, 1.0, 2.0]


def row(number, first, tasks, second):
    """What rliable says of two agents with so many runs."""
    from rliable import library, metrics

    rng = np.random.default_rng(number)
    a = rng.gamma(2, 0.5, (first, tasks)).round(3)
    b = np.concatenate([a[:1], rng.normal(0.6, 0.8, (second - 1, tasks)).round(3)])  # with a tie on every task
    shares, _ = library.create_performance_profile({"a": a}, np.array(THRESHOLDS), reps=10)
    return {
        "a": a.tolist(),
        "b": b.tolist(),
        "mean": metrics.aggregate_mean(a),
        "median": metrics.aggregate_median(a),
        "iqm": metrics.aggregate_iqm(a),
        "optimality_gap": metrics.aggregate_optimality_gap(a),
        "optimality_gap at 0.7": metrics.aggregate_optimality_gap(a, 0.7),
        "improvement": metrics.probability_of_improvement(a, b),
        "profile": shares["a"].tolist(),
    }


if __name__ == "__main__":
    made = {"thresholds": THRESHOLDS, "rows": [row(i, *shape) for i, shape in enumerate(SHAPES)]}
    Path(__file__).with_name("rliable.json").write_text(json.dumps(made) + "\n", encoding="utf-8")
