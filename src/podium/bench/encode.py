"""Encoders: features as a matrix of numbers, fitted on a training part only."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np

from podium.bench.datasets.model import Dataset
from podium.bench.spec import DataSettings
from podium.core.arrays import Floats, Indices


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Encoder:
    """What was learnt from a training part: medians for missing numbers, levels seen, means and spreads."""

    medians: Floats
    seen: tuple[Indices, ...]
    onehot: bool
    mean: Floats | float = 0.0
    scale: Floats | float = 1.0

    def transform(self, dataset: Dataset, cases: Indices) -> Floats:
        """The chosen cases as numbers; a level that training never saw has no mark at all."""
        numeric = dataset.numeric[cases]
        blocks = [np.where(np.isnan(numeric), self.medians, numeric)]
        for column, levels in zip(dataset.nominal.T, self.seen, strict=True):
            values = column[cases, None]
            # Two levels need one column; the second of the pair would only be its mirror image.
            marks = levels[1:] if len(levels) == 2 else levels
            blocks.append((values == marks if self.onehot else values).astype(np.float64))
        return (np.hstack(blocks) - self.mean) / self.scale


def fit_encoder(dataset: Dataset, cases: Indices, settings: DataSettings) -> Encoder:
    """An encoder from the training cases alone.

    Missing numbers become the median, a missing level is a level of its own. Constant columns become 0.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a column without any value: 0 stands for it
        medians = np.nan_to_num(np.nanmedian(dataset.numeric[cases], axis=0))
    seen = tuple(np.unique(column[cases]) for column in dataset.nominal.T)
    encoder = Encoder(medians=medians, seen=seen, onehot=settings.nominal == "onehot")
    if not settings.standardize:
        return encoder
    matrix = encoder.transform(dataset, cases)
    mean, spread = matrix.mean(axis=0), matrix.std(axis=0)
    # A constant column may have a spread of 1e-17 by rounding: it carries nothing and becomes 0.
    scale = np.where(spread > 1e-12 * np.maximum(np.abs(mean), 1.0), spread, 1.0)
    return replace(encoder, mean=mean, scale=scale)
