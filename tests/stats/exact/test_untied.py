"""The law of many untied ranks: against the dynamic programme, against the contour of tied ranks, and what it costs."""

import numpy as np
import pytest

from podium.stats.exact import signed_rank, untied
from podium.stats.exact.arcs import arc_tails
from podium.stats.exact.location import locations
from podium.stats.exact.ranks import ranked, ranks_of
from podium.stats.exact.signed_rank import signed_ranks, untied_quantile


def law_of(n):
    """P(W <= w) for all w up to the middle: positive numbers are added only, so every digit but the last few holds."""
    law = np.zeros(n * (n + 1) // 4 + 1)
    law[0] = 1.0
    for rank in range(1, n + 1):
        law[rank:] += law[:-rank].copy()
        law *= 0.5
    return np.cumsum(law)


@pytest.mark.parametrize("n", [301, 302, 450, 1000])
def test_every_tail_is_that_of_the_dynamic_programme(n):
    truth = law_of(n)
    sums = np.arange(len(truth))
    np.testing.assert_allclose(untied.untied_tails(n, sums), truth, rtol=4e-12)


def test_one_by_one_as_from_the_table():
    n, truth = 600, law_of(600)
    for w in (0, 7, 2499, 2500, 3000, 20_000, 80_000, 90_150):
        assert untied.untied_tails(n, np.array([w]))[0] == pytest.approx(truth[w], rel=4e-12)


@pytest.mark.parametrize("n", [2000, 5000])
def test_larger_laws_agree_with_the_arcs_of_tied_ranks(n):
    spread, middle = untied.spread_of(n), n * (n + 1) / 4
    sums = (middle - spread * np.linspace(0, 38, 100)).astype(np.int64)
    sums = sums[sums >= untied.COUNTED]
    tails = untied.untied_tails(n, sums)
    ranks = ranks_of(np.arange(2, 2 * n + 1, 2))
    compared = 0
    for i in range(0, 75, 8):
        found = arc_tails(ranks, 2 * sums[i : i + 1])[0]
        compared += found >= 0
        assert found < 0 or tails[i] == pytest.approx(found, rel=2e-11)
    assert compared >= 5


def test_what_is_below_the_smallest_float_is_zero():
    n = 3000
    sums = np.array([0, 100, 5000, int(n * (n + 1) / 4 - 39 * untied.spread_of(n))])
    assert untied.untied_tails(n, sums).tolist() == [0, 0, 0, 0]


@pytest.fixture
def contours(monkeypatch):
    """How many contour integrals are made."""
    counted = []
    made = untied._log_tails

    def counting(n, sums):
        counted.append(len(sums))
        return made(n, sums)

    monkeypatch.setattr(untied, "_log_tails", counting)
    untied._table.cache_clear()
    untied_quantile.cache_clear()
    return counted


def test_pairs_of_one_length_share_a_table(contours):
    differences = np.random.default_rng(0).normal(0.1, 1, (700, 340))
    found = signed_ranks(differences)

    assert found.exact.all()
    assert sum(contours) <= untied.NEAR_TERMS + untied.FAR_TERMS + 20


def test_a_quantile_takes_one_contour(contours):
    """Pairs with holes have many different lengths, and each of them needs one."""
    random = np.random.default_rng(0)
    differences = random.normal(size=(12, 800))
    differences[random.random(differences.shape) < 0.2] = np.nan
    lengths = len(set((~np.isnan(differences)).sum(axis=1).tolist()))

    locations(differences, 0.95, walsh=True)

    assert sum(contours) == lengths


def test_untied_pairs_need_no_law_of_ties(monkeypatch):
    monkeypatch.setattr(signed_rank, "_single_tails", None)
    monkeypatch.setattr("podium.stats.exact.tilts.contour_tails", None)
    differences = np.random.default_rng(0).normal(0.1, 1, (3000, 60))

    assert signed_ranks(differences).exact.all()


def test_kernels_have_one_signature_each(monkeypatch):
    """Of rows as they come and of some of them: a second signature is compiled a second time."""
    from podium.stats.exact import arc_kernels, crowd_kernels, programme_kernels, walsh_kernels

    monkeypatch.setattr(signed_rank.small, "is_small", lambda seconds, kernel: False)
    for n, zeros in ((90, "drop"), (91, "pratt"), (92, "split")):
        differences = np.random.default_rng(0).normal(0.1, 1, (40, n)).round(2)
        differences[:20] = differences[:20].round(1)
        signed_ranks(differences, zeros=zeros)

    monkeypatch.setattr("podium.stats.exact.arcs.is_small", lambda seconds, kernel: False)
    monkeypatch.setattr("podium.stats.exact.location.is_small", lambda seconds, kernel: False)
    arc_tails(ranked(differences)[0], np.full(len(differences), 4000))
    locations(differences, 0.95, walsh=True)
    for module in (arc_kernels, crowd_kernels, programme_kernels, walsh_kernels):
        kernels = {name: each for name, each in vars(module).items() if hasattr(each, "signatures")}
        assert [
            name for name, each in kernels.items() if len(each.signatures) > 1
        ] == []  # none where it was in the cache
