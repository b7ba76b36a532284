"""Corrections: published values, brute force over all groupings, and what must always hold."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.core.errors import ArgumentError, DataError
from podium.stats import adjust, bergmann_hommel, hommel, registry, rom, shaffer
from reference import multtest

pytestmark = pytest.mark.kernel

SORTED_ONLY = [name for name, found in registry.CORRECTIONS.items() if name != "none" and not found.all_pairs_only]
EVERY = [name for name in registry.CORRECTIONS if name != "none"]
STEP_DOWN_OR_SINGLE = ("bonferroni", "sidak", "holm", "holm_sidak", "finner")

pvalue = st.floats(0, 1, allow_subnormal=False)
families = st.lists(pvalue, min_size=1, max_size=30)
all_pairs = st.integers(2, 6).flatmap(lambda k: st.lists(pvalue, min_size=k * (k - 1) // 2, max_size=k * (k - 1) // 2))

# Garcia and Herrera 2008, friedmanAlignedRanksPost of the R package scmamp and its adjusted values (rendered vignette).
GH_RAW = [
    0.00117485, 0.3341698, 2.843421e-10, 0.01845167, 0.02265711,
    0.002197407, 0.3742777, 9.226472e-08, 0.1643229, 7.793722e-05,
]  # fmt: skip
GH_SHAFFER = [
    0.007049103, 0.6683396, 2.843421e-09, 0.0738066768, 0.09062842,
    0.01318444, 0.6683396134, 5.535883e-07, 0.4929687992, 0.0004676233,
]  # fmt: skip
GH_BERGMANN = [
    0.007049103, 0.6683396, 2.843421e-09, 0.0553550076, 0.06797132,
    0.008789629, 0.6683396134, 5.535883e-07, 0.1643229331, 0.0003117489,
]  # fmt: skip

# Ten p-values and their adjusted values by R's multtest, as in statsmodels' test_multi.py (res_multtest3).
R_RAW = [0.001, 0.002, 0.003, 0.004, 0.005, 0.05, 0.06, 0.07, 0.08, 0.09]
R_ADJUSTED = {
    "bonferroni": [0.01, 0.02, 0.03, 0.04, 0.05, 0.5, 0.6, 0.7, 0.8, 0.9],
    "holm": [0.01, 0.018, 0.024, 0.028, 0.03, 0.25, 0.25, 0.25, 0.25, 0.25],
    "hochberg": [0.01, 0.018, 0.024, 0.028, 0.03, 0.09, 0.09, 0.09, 0.09, 0.09],
    "sidak": [
        0.00995511979025177, 0.01982095664805061, 0.02959822305108317, 0.03928762649718986, 0.04888986953422814,
        0.4012630607616213, 0.4613848859051006, 0.5160176928207072, 0.5656115457763677, 0.6105838818818925,
    ],
    "holm_sidak": [
        0.00995511979025177, 0.0178566699880266, 0.02374950634358763, 0.02766623106147537, 0.02962749064373438,
        *[0.2262190625000001] * 5,
    ],
    "benjamini_hochberg": [
        *[0.01] * 5, 0.08333333333333334, 0.0857142857142857, 0.0875, 0.0888888888888889, 0.09,
    ],
    "benjamini_yekutieli": [
        *[0.02928968253968254] * 5, 0.2440806878306878, 0.2510544217687075, 0.2562847222222222, 0.260352733686067,
        0.2636071428571428,
    ],
}  # fmt: skip

# Forty p-values and R's p.adjust(method="hommel"), as in statsmodels' test_multi.py.
HOMMEL_RAW = [
    0.00116, 0.00924, 0.01075, 0.01437, 0.01784, 0.01918, 0.02751, 0.02871, 0.03054, 0.03246, 0.04259, 0.06879, 0.0691,
    0.08081, 0.08593, 0.08993, 0.09386, 0.09412, 0.09718, 0.09758, 0.09781, 0.09788, 0.13282, 0.20191, 0.21757,
    0.24031, 0.26061, 0.26762, 0.29474, 0.32901, 0.41386, 0.51479, 0.52461, 0.53389, 0.56276, 0.62967, 0.72178,
    0.73403, 0.87182, 0.95384,
]  # fmt: skip
HOMMEL_ADJUSTED = [
    0.0464, 0.25872, 0.29025, 0.3495714285714286, 0.41032, 0.44114, 0.57771, 0.60291, 0.618954, 0.6492,
    0.7402725000000001, 0.86749, 0.86749, 0.8889100000000001, 0.8971477777777778, 0.8993, *[0.9175374999999999] * 6,
    *[0.95384] * 18,
]  # fmt: skip


@pytest.mark.parametrize("method", R_ADJUSTED)
def test_values_of_r_multtest(method):
    np.testing.assert_allclose(adjust(R_RAW, method), R_ADJUSTED[method], rtol=1e-12)


@pytest.mark.parametrize("name", multtest.FAMILIES)
@pytest.mark.parametrize("method", multtest.CORRECTIONS)
def test_families_of_r_multtest(name, method):
    raw, adjusted = multtest.family(name)
    # R takes 1 - (1 - p)^m, which loses digits where p is small; we do not.
    np.testing.assert_allclose(adjust(raw, method), adjusted[method], rtol=1e-12)


def test_hommel_of_r():
    np.testing.assert_allclose(hommel(HOMMEL_RAW), HOMMEL_ADJUSTED, rtol=1e-12)


def test_garcia_and_herrera_2008():
    np.testing.assert_allclose(shaffer(GH_RAW), GH_SHAFFER, rtol=1e-6)
    np.testing.assert_allclose(bergmann_hommel(GH_RAW), GH_BERGMANN, rtol=1e-6)


def test_against_a_control_as_scmamp_prints_it():
    # scmamp vignette, adjustHolland, adjustFinner, adjustLi and adjustRom of quadePost(control = 2).
    raw = [0.0895800568, 0.1090468582, 0.071339287, 0.7090122]
    expected = [0.2562478, 0.2562478, 0.2562478, 0.7090122]
    np.testing.assert_allclose(adjust(raw, "holland"), expected, atol=1e-6)
    np.testing.assert_allclose(adjust(raw, "finner"), expected, atol=1e-6)
    np.testing.assert_allclose(adjust(raw, "li"), [0.2353852, 0.2725935, 0.196892, 0.7090122], atol=1e-6)
    scmamp = rom(raw, alpha=0.05, step="down")
    np.testing.assert_allclose(scmamp, [0.2805656, 0.2805656, 0.2805656, 0.7090122], atol=1e-6)
    # Rom's own procedure steps up, so that it is never beaten by Hochberg's.
    np.testing.assert_allclose(rom(raw), [0.2180937164, 0.2180937164, 0.2180937164, 0.7090122], atol=1e-9)


def test_constants_of_rom_1990():
    # Rom 1990, table 1, alpha = 0.05 and 0.01.
    from podium.stats.corrections.kernels import rom_constants

    printed = [0.05, 0.025, 0.0169, 0.0127, 0.0102, 0.00851, 0.00730, 0.00639, 0.00568, 0.00511]
    np.testing.assert_allclose(rom_constants(0.05, 10), printed, rtol=0.0035)


def test_rom_is_exact_for_independent_pvalues():
    """The chance that no sorted uniform p-value falls below its constant is 1 - alpha, by recursion over volumes."""
    from podium.stats.corrections.kernels import rom_constants

    for alpha in (0.05, 0.3, 0.8):
        c = rom_constants(alpha, 6)[::-1]
        volume = np.polynomial.Polynomial([1.0])  # of sorted points x_j > c_j, as a function of the upper end
        for bound in c:
            inner = volume.integ()
            volume = inner - inner(bound)
        assert volume(1.0) * np.prod(range(1, 7)) == pytest.approx(1 - alpha, abs=1e-12)


def test_shaffer_counts():
    # Garcia and Herrera 2008: S(5) = 0, 1, 2, 3, 4, 6, 10; Shaffer's S(k) by its own recursion for k up to 12.
    from podium.stats.corrections.steps import true_pairs

    counts = {0: {0}, 1: {0}}
    for k in range(2, 13):
        counts[k] = {j * (j - 1) // 2 + x for j in range(1, k + 1) for x in counts[k - j]}
        assert set(np.flatnonzero(true_pairs(k))) == counts[k]
    assert counts[5] == {0, 1, 2, 3, 4, 6, 10}


def partitions(items):
    """All set partitions."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for size in range(len(rest) + 1):
        for mates in itertools.combinations(rest, size):
            others = [item for item in rest if item not in mates]
            for tail in partitions(others):
                yield [[first, *mates], *tail]


def bergmann_hommel_by_all_groupings(pvalues, k):
    index = {pair: i for i, pair in enumerate(itertools.combinations(range(k), 2))}
    adjusted = np.array(pvalues, dtype=float)
    for blocks in partitions(list(range(k))):
        true = [index[pair] for block in blocks for pair in itertools.combinations(block, 2)]
        if true:
            bound = len(true) * min(pvalues[i] for i in true)
            for i in true:
                adjusted[i] = max(adjusted[i], bound)
    return np.minimum(adjusted, 1.0)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_bergmann_hommel_is_the_maximum_over_all_groupings(k):
    rng = np.random.default_rng(k)
    for power in (1, 2, 4, 8):
        raw = rng.random(k * (k - 1) // 2) ** power
        np.testing.assert_allclose(bergmann_hommel(raw), bergmann_hommel_by_all_groupings(raw, k), rtol=1e-14)
        tied = np.round(raw, 2)
        np.testing.assert_allclose(bergmann_hommel(tied), bergmann_hommel_by_all_groupings(tied, k), rtol=1e-14)


def hommel_by_closed_testing(pvalues):
    """The largest Simes p-value of all sets of hypotheses with this one among them."""
    m = len(pvalues)
    adjusted = np.zeros(m)
    for size in range(1, m + 1):
        for chosen in itertools.combinations(range(m), size):
            simes = min(size * p / j for j, p in enumerate(sorted(pvalues[i] for i in chosen), start=1))
            for i in chosen:
                adjusted[i] = max(adjusted[i], simes)
    return adjusted


@given(st.lists(pvalue, min_size=1, max_size=7))
def test_hommel_is_closed_testing_with_simes(raw):
    np.testing.assert_allclose(hommel(raw), hommel_by_closed_testing(raw), rtol=1e-12, atol=1e-300)


@given(all_pairs)
def test_adjusted_lie_between_raw_and_one_and_keep_the_order(raw):
    for method in EVERY:
        adjusted = adjust(raw, method)
        assert (adjusted >= np.asarray(raw)).all()
        assert (adjusted <= 1).all()
        if method != "bergmann_hommel":  # logic can decide a pair with a larger p-value sooner
            assert (np.diff(adjusted[np.argsort(raw, kind="stable")]) >= 0).all()


@given(families, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(raw, random):
    shuffled = list(range(len(raw)))
    random.shuffle(shuffled)
    for method in SORTED_ONLY:
        direct = adjust(raw, method)[shuffled]
        np.testing.assert_allclose(adjust(np.asarray(raw)[shuffled], method), direct, rtol=1e-12, atol=1e-300)


@given(all_pairs)
def test_known_orders_of_power(raw):
    by = {method: adjust(raw, method) for method in EVERY}
    slack = 1e-12
    for stronger, weaker in (
        ("holm", "bonferroni"),
        ("sidak", "bonferroni"),
        ("holm_sidak", "holm"),
        ("hochberg", "holm"),
        ("hommel", "hochberg"),
        ("rom", "hochberg"),
        ("shaffer", "holm"),
        ("bergmann_hommel", "shaffer"),
        ("benjamini_hochberg", "benjamini_yekutieli"),
        ("benjamini_hochberg", "hommel"),
    ):
        assert (by[stronger] <= by[weaker] + slack).all(), (stronger, weaker)


@given(all_pairs, st.randoms(use_true_random=False))
def test_bergmann_hommel_does_not_depend_on_the_order_of_algorithms(raw, random):
    k = (1 + int(np.sqrt(1 + 8 * len(raw)))) // 2
    order = list(range(k))
    random.shuffle(order)
    matrix = np.zeros((k, k))
    upper = np.triu_indices(k, 1)
    matrix[upper] = raw
    matrix += matrix.T
    renamed = matrix[np.ix_(order, order)][upper]
    result = np.zeros((k, k))
    result[upper] = bergmann_hommel(raw)
    result += result.T
    np.testing.assert_array_equal(bergmann_hommel(renamed), result[np.ix_(order, order)][upper])


@pytest.mark.parametrize("method", EVERY)
def test_extreme_pvalues(method):
    assert adjust([0.0, 0.0, 0.0], method).tolist() == [0, 0, 0]
    assert adjust([1.0, 1.0, 1.0], method).tolist() == [1, 1, 1]
    assert adjust([1.0, 0.0, 1.0], method).tolist() == [1, 0, 1]
    assert adjust([0.3], method) == pytest.approx([0.3])
    tiny = adjust([1e-300, 2e-300, 3e-300], method)
    assert (tiny > 0).all()
    assert (tiny < 1e-298).all()


def test_no_correction_returns_the_pvalues():
    assert adjust([0.2, 0.1], "none").tolist() == [0.2, 0.1]


def test_an_empty_family():
    assert adjust([], "holm").size == 0


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: adjust([0.1, np.nan]), "missing value .nan. at index 1"),
        (lambda: adjust([0.1, 1.1]), "must lie between 0 and 1; got 1.1 at index 1"),
        (lambda: adjust([[0.1]]), "must have 1 dimension"),
        (lambda: adjust([0.1] * 4, "shaffer"), "k .k - 1. / 2 of them; got 4"),
        (lambda: adjust([], "shaffer"), "got 0"),
        (lambda: adjust([0.1] * 3, "bergmann_hommel", n_algorithms=4), "4 algorithms have 6 pairs; got 3 p-values"),
        (lambda: adjust([0.1] * 190, "bergmann_hommel"), "use 'shaffer'"),
        (lambda: adjust([0.1] * 3000, "rom"), "use 'hochberg'"),
        (lambda: adjust([0.1], "holms"), "got 'holms': did you mean 'holm'"),
        (lambda: adjust([0.1], "BH"), "did you mean 'benjamini_hochberg' or 'bergmann_hommel'"),
        (lambda: adjust([0.1], ["holm"]), "`correction` must be 'none', 'bonferroni'"),
        (lambda: adjust([0.1] * 3, n_algorithms=7), "7 algorithms have 21 pairs; got 3 p-values"),
        (lambda: adjust([0.1] * 3, n_algorithms="3"), "`n_algorithms` must be an integer of at least 2"),
        (lambda: rom([0.1], alpha=2), "strictly between 0 and 1"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises((ArgumentError, DataError), match=sentence):
        call()


def test_large_families_are_quick_enough_to_be_tested_here():
    raw = np.random.default_rng(5).random(499_500) ** 2
    adjusted = hommel(raw)
    assert (adjusted >= raw).all()
    few = raw[:300]
    np.testing.assert_allclose(hommel(few), hommel_quadratic(few), rtol=1e-12)


def hommel_quadratic(pvalues):
    """Wright 1992, as R's p.adjust has it."""
    m = len(pvalues)
    order = np.argsort(pvalues)
    p = np.asarray(pvalues)[order]
    i = np.arange(1, m + 1)
    q = pa = np.full(m, (m * p / i).min())
    for j in range(m - 1, 1, -1):
        head = np.arange(m - j + 1)
        tail = np.arange(m - j + 1, m)
        q1 = (j * p[tail] / np.arange(2, j + 1)).min()
        q = q.copy()
        q[head] = np.minimum(j * p[head], q1)
        q[tail] = q[m - j]
        pa = np.maximum(pa, q)
    result = np.empty(m)
    result[order] = np.maximum(pa, p)
    return result
