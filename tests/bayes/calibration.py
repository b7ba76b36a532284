"""Simulation-based calibration: with parameters drawn from the prior, their ranks among the draws are uniform."""

import numpy as np
from scipy import stats


def ranks_are_uniform(ranks, count, level=1e-3):
    """Chi-square tests of uniformity of each column of ranks (0 to count - 1), by Bonferroni."""
    ranks = np.asarray(ranks)
    bins = 5 if len(ranks) < 200 else 10
    for column in ranks.T:
        observed = np.bincount(column * bins // count, minlength=bins)
        assert observed.sum() == len(ranks)
        pvalue = stats.chisquare(observed).pvalue
        assert pvalue > level / ranks.shape[1], (observed, pvalue)
