"""C4.5 as Quinlan's program has it: a nominal feature is split into all its values, and one grown tree is pruned at will."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from podium.bench.learners.c45 import Cut, best_question, pruned, thresholds
from podium.bench.learners.tree import Question, TreeClassifier, entropy, grow, leaf_counts
from podium.core.arrays import Floats, Indices


@dataclass(kw_only=True, eq=False, repr=False)
class MultiwayC45(TreeClassifier):
    """Quinlan's C4.5 (1993, release 8); the last `nominal` features are codes of levels.

    A split must leave `min_cases` in two branches or more, a threshold also a tenth of the cases per class (at most 25). Among
    splits of at least average gain (features with many levels do not count for it) the best gain ratio is taken. Of one
    grown tree every pruning `confidence` can be asked for. As in `C45Tree` subtrees are not raised, and nothing is windowed.
    """

    free_hyperparameter: ClassVar[str] = "confidence"
    confidence: float = 0.25
    min_cases: int = 2
    nominal: int = 0

    def fit(self, X: Any, y: Any) -> MultiwayC45:
        """Grow the tree; it is pruned when it is asked."""
        X, codes = self._begin(X, y)
        self.root_ = grow(X, codes, smallest=2 * self.min_cases, ask=self._ask)
        return self

    def _ask(self, X: Floats, y: Indices, total: Floats) -> Question | None:
        first = X.shape[1] - self.nominal
        smallest = min(max(0.1 * len(y) / len(total), self.min_cases), 25)
        splits = thresholds(X[:, :first], y, total, smallest)
        for feature in range(first, X.shape[1]):
            levels, place = np.unique(X[:, feature], return_inverse=True)
            counts = np.zeros((len(levels), len(total)))
            np.add.at(counts, (place, y), 1.0)
            sizes = counts.sum(axis=1)
            if (sizes >= self.min_cases).sum() >= 2:
                gain = float(entropy(total) - entropy(counts).sum()) / len(y)
                splits.append(Cut(gain, float(entropy(sizes)) / len(y), Question(feature, 0.0, levels)))
        return best_question(splits, len(y), slack=1e-3)  # C4.5's own slack

    def _scores(self, X: Floats) -> Floats:
        return self._counts(X, self.confidence)

    def _counts(self, X: Floats, confidence: float) -> Floats:
        return leaf_counts(pruned(self.root_, confidence)[0], X)

    def predict_path(self, X: Any, values: Sequence[float]) -> list[npt.NDArray[Any]]:
        """The predictions of the same tree pruned at each confidence."""
        X = self._checked(X)
        return [self._labels(self._counts(X, confidence)) for confidence in values]
