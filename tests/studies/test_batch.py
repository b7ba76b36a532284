"""The batch tests give, sample by sample, what the tests of `stats` give."""

import numpy as np
import pytest

import podium
from podium.core.errors import ArgumentError
from podium.planning.batch import as_batch
from podium.stats import registry
from refusals import refuses

RNG = np.random.default_rng(3)
SAMPLES = np.round(RNG.normal(size=(12, 9, 4)) + np.array([0.6, 0.0, 0.3, -0.2]), 1) + 5


def pairwise(name):
    return lambda sample: [getattr(podium.stats, name)(sample[:, 0], sample[:, 1]).pvalue]


def frame_of(result):
    return result.to_frame()["adjusted"].tolist()


OVER_TWO = registry.names("datasets")
OMNIBUS = ("quade", "aligned_ranks", "skillings_mack")
UNCORRECTED = ("mean_ranks", "rank_sums", "conover")
OTHERS = [*registry.OMNIBUS, *registry.names("pool")]
SINGLE = {
    **{name: pairwise(name) for name in OVER_TWO},
    **{name: lambda sample, name=name: [registry.function(registry.OMNIBUS[name])(sample).pvalue] for name in OMNIBUS},
    **{name: lambda sample, name=name: [getattr(podium.stats, name)(sample).pvalue[0]] for name in UNCORRECTED},
    "anova": lambda sample: [podium.stats.anova(sample).pvalue],
    "friedman": lambda sample: [podium.stats.friedman(sample, variant="chi2").pvalue],
    "iman_davenport": lambda sample: [podium.stats.friedman(sample, variant="iman_davenport").pvalue],
    "nemenyi": lambda sample: frame_of(podium.stats.nemenyi(sample)),
    "tukey": lambda sample: frame_of(podium.stats.tukey(sample)),
    "dunnett": lambda sample: frame_of(podium.stats.dunnett(sample, "algorithm 1")),
    "bonferroni_dunn": lambda sample: frame_of(podium.stats.bonferroni_dunn(sample, "algorithm 1")),
}


@pytest.mark.parametrize("name", [*OVER_TWO, *OTHERS])
def test_a_batch_is_the_test_of_each_sample(name):
    batch = as_batch(name)(SAMPLES)

    assert batch == pytest.approx(np.array([SINGLE[name](sample) for sample in SAMPLES]), abs=1e-8)


def test_equal_algorithms_have_pvalue_one():
    equal = np.repeat(SAMPLES[:, :, :1], 4, axis=2)
    for name in (*OVER_TWO, *OTHERS):
        assert (as_batch(name)(equal) >= 1 - 1e-9).all(), name


def test_an_unknown_name_is_refused():
    with pytest.raises(ArgumentError, match="did you mean 'wilcoxon'"):
        as_batch("wilcoxn")


@pytest.mark.parametrize(
    ("name", "value"), [("sizes", 6), ("tests", "sign"), ("shapes", "normal"), ("configurations", "all equal")]
)
def test_a_single_thing_in_place_of_a_list_is_refused_by_its_name(name, value):
    with refuses(ArgumentError, name):
        podium.studies.calibrate(**{"tests": ["sign"], "sizes": [6], "draws": 20, name: value})


@pytest.mark.parametrize(
    ("wrong", "option"),
    [
        ({"configurations": ["one between"]}, "tests"),  # a test of two has no third algorithm that could differ
        ({"configurations": ["elsewhere"]}, "configurations"),
        ({"n_algorithms": 1}, "n_algorithms"),
    ],
)
def test_calibration_without_a_situation_is_refused(wrong, option):
    with refuses(ArgumentError, option):
        podium.studies.calibrate(["sign"], sizes=[6], draws=20, **wrong)


@pytest.mark.parametrize(("name", "value"), [("biases", 3), ("tests", "sign")])
def test_replicability_takes_lists_too(name, value):
    with refuses(ArgumentError, name):
        podium.studies.replicability(np.tile([0.0, 1.0], (12, 1)), **{"size": 5, "draws": 20, name: value})
