"""Many tasks: what is drawn or held at once stays small, and has the law it has for few."""

import numpy as np
import pytest

from podium.runs import _profiles, kernels


class Counted:
    """A generator that remembers how many numbers it drew at most at a time."""

    def __init__(self, seed):
        self.rng, self.most = np.random.default_rng(seed), 0

    def __getattr__(self, name):
        def draw(*args, size=None):
            shape = args[0] if size is None else size
            self.most = max(self.most, int(np.prod(shape)))
            return getattr(self.rng, name)(*args, **({} if size is None else {"size": size}))

        return draw


def test_the_median_of_many_tasks_is_drawn_in_blocks(monkeypatch):
    values = np.random.default_rng(0).normal(size=(300, 5))
    whole = kernels.median_interval(values, 0.95, np.random.default_rng(1))
    monkeypatch.setattr(kernels, "AT_ONCE", 100_000)
    counted = Counted(1)

    assert kernels.median_interval(values, 0.95, counted) == whole
    assert counted.most <= 100_000


def test_the_band_of_many_tasks_needs_few_draws_and_has_the_same_width():
    """5,000 x 4 runs would be 20,000 normal weights per draw; the root of their covariances has one per threshold."""
    random = np.random.default_rng(2)
    values, thresholds = random.normal(random.normal(size=(5000, 1)), 1, size=(5000, 4)), np.linspace(-2, 2, 21)
    values[random.random(values.shape) < 0.1] = np.nan
    values[:, :2] = random.normal(size=(5000, 2))
    counted = Counted(3)
    shares, half = _profiles._profile(values, thresholds, 0.95, 4000, counted)
    assert counted.most <= 4000 * 21

    own = [(each[~np.isnan(each)][:, None] > thresholds).mean(axis=0) for each in values]
    np.testing.assert_allclose(shares, np.mean(own, axis=0))
    few = values[:40]
    _, width = _profiles._profile(few, thresholds, 0.95, 4000, np.random.default_rng(4))
    assert half == pytest.approx(width * np.sqrt(40 / 5000), rel=0.15)


def test_fewer_rows_have_the_same_covariances():
    rows = np.random.default_rng(0).normal(size=(500, 7))
    parts = iter([rows[:200], rows[200:210], rows[210:]])
    fewer = _profiles._fewer(parts, 100)

    assert len(fewer) == 7
    np.testing.assert_allclose(fewer.T @ fewer, rows.T @ rows)
