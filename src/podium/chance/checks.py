"""Two other nulls, beside the exact one (Forman and Cohen 2005, section 6).

Label permutation trains the winner's learner on shuffled labels: what does it find where nothing is to be found?
Trivial classifiers see one or a few random features and the true labels: is the winner better than what is easy?
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.chance.best_of import best_of, single_level
from podium.chance.distributions import NullDistribution, null_distribution
from podium.chance.rankings import as_binary, ranked_score
from podium.chance.registry import LEVEL, label_of, metric_name
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError, MissingPackageError
from podium.core.numbers import number
from podium.core.progress import Progress, tracked
from podium.core.result import Result
from podium.core.rng import Rng, generator


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EmpiricalNullResult(Result):
    """A score against the best of C draws from an empirical null."""

    null: str
    """"label permutation" or "trivial classifiers"."""
    metric: str
    statistic: float
    pvalue: float
    """P(the best of C draws reaches the score), with 1 added to the count and to the draws."""
    p_single: float
    expected_best: float
    """The mean of the best of C draws."""
    critical_value: float
    """The score that the best of C draws exceeds with probability at most alpha; nan with too few draws."""
    alpha: float
    competitors: int
    null_scores: Floats
    seed: int
    method: str = "simulated"
    alternative: str = "greater"
    references: tuple[str, ...] = ("forman2005", "forman2002")

    def summary(self) -> str:
        """How the score stands against this null, and what that null means."""
        meaning = (
            "the learner finds something in the labels, not that it finds enough"
            if self.null == "label permutation"
            else "the score is more than trivial classifiers reach; a large one, that simple methods do as well"
        )
        return (
            f"The best of {self.competitors:,} draws by {self.null} reaches {number(self.statistic, 5)} "
            f"({label_of(self.metric)}) with probability {number(self.pvalue)} ({len(self.null_scores)} draws; the best of {self.competitors:,} "
            f"averages {number(self.expected_best, 5)}). A small probability says that {meaning}."
        )


def label_permutation(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    metric: str = "auc",
    competitors: int = 1,
    alpha: float = LEVEL,
    cv: Any = 5,
    draws: int = 200,
    positive: Any = None,
    workers: int | None = None,
    rng: Rng = None,
) -> EmpiricalNullResult:
    """Cross-validate a scikit-learn estimator on permuted labels, and compare the best of C such scores.

    scikit-learn's `permutation_test_score` with one of Podium's metrics per test fold, averaged; the pvalue is that
    of the best of C competitors.

    Parameters
    ----------
    estimator : scikit-learn estimator
        What is cross-validated.
    X : array-like of shape (n_cases, n_features)
        The features.
    y : array-like of shape (n_cases,)
        The labels, of two classes.
    metric : str, default "auc"
        Name of the metric: "auc", "tp10", "best_accuracy", ...; `podium.chance.registry.METRICS` lists them.
    competitors : int, default 1
        Number of algorithms tried, discarded ones included.
    alpha : float, default 0.01
        Significance level.
    cv : int or cross-validation generator, default 5
        As in scikit-learn.
    draws : int, default 200
        How often the labels are permuted.
    positive : any, optional
        The positive label, unless the labels are 0 and 1.
    workers : int, optional
        Number of processes; by default one per core.
    rng : int or numpy.random.Generator, optional
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    EmpiricalNullResult
        The score, the null scores, the critical value and the p-value of the best of C.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X = np.random.default_rng(0).normal(size=(40, 2))
    >>> found = label_permutation(GaussianNB(), X, X[:, 0] > 0, draws=20, workers=1, rng=0)
    >>> found.pvalue < 0.1
    True
    """
    try:
        from sklearn.model_selection import permutation_test_score
    except ModuleNotFoundError:
        raise MissingPackageError("scikit-learn", "Permuting labels", extra="bench") from None

    labels = as_binary(y, positive=positive).astype(int)
    count = check.count("competitors", competitors)
    seed = int(generator(rng).integers(2**31))
    score, null_scores, _ = permutation_test_score(
        estimator,
        X,
        labels,
        scoring=_scorer(metric),
        cv=cv,
        n_permutations=check.count("draws", draws),
        random_state=seed,
        n_jobs=workers,
    )
    return _result("label permutation", metric, float(score), null_scores, count, alpha, seed)


def trivial_classifiers(
    score: float,
    X_train: Any,
    y_train: Any,
    X_test: Any,
    y_test: Any,
    *,
    metric: str = "auc",
    competitors: int = 1,
    alpha: float = LEVEL,
    draws: int = 1000,
    features: int = 1,
    positive: Any = None,
    rng: Rng = None,
    progress: Progress = None,
) -> EmpiricalNullResult:
    """What do trivial classifiers score? Naive Bayes on a few random features (Forman 2002).

    The training labels are the true ones, so this null is harder to beat than chance wherever single features predict.

    Parameters
    ----------
    score : float
        The winner's score on the same test cases.
    X_train : array-like of shape (n_train, n_features)
        The features of the training cases.
    y_train : array-like of shape (n_train,)
        Their labels, of two classes.
    X_test : array-like of shape (n_test, n_features)
        The features of the test cases.
    y_test : array-like of shape (n_test,)
        Their labels.
    metric : str, default "auc"
        Name of the metric: "auc", "tp10", "best_accuracy", ...; `podium.chance.registry.METRICS` lists them.
    competitors : int, default 1
        Number of algorithms tried, discarded ones included.
    alpha : float, default 0.01
        Significance level.
    draws : int, default 1000
        Number of trivial classifiers.
    features : int, default 1
        How many random features a trivial classifier sees.
    positive : any, optional
        The positive label, unless the labels are 0 and 1.
    rng : int or numpy.random.Generator, optional
        Seed or generator; equal seeds give equal numbers.
    progress : callable, optional
        Called with how much is done, and of how much.

    Returns
    -------
    EmpiricalNullResult
        The score, the null scores, the critical value and the p-value of the best of C.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(60, 3))
    >>> y = (X[:, 0] > 0).astype(int)
    >>> found = trivial_classifiers(0.6, X[:30], y[:30], X[30:], y[30:], draws=20, rng=0)
    >>> found.pvalue > 0.1
    True
    """
    try:
        from sklearn.naive_bayes import GaussianNB
    except ModuleNotFoundError:
        raise MissingPackageError("scikit-learn", "A trivial classifier", extra="bench") from None

    train, test = _matrix("X_train", X_train), _matrix("X_test", X_test)
    label, truth = as_binary(y_train, positive=positive), as_binary(y_test, positive=positive)
    if len(train) != len(label) or len(test) != len(truth) or train.shape[1] != test.shape[1]:
        raise DataError("The training and test data must have as many rows as labels, and the same features.")
    check.count("features", features, at_most=train.shape[1])
    law = _law(metric, truth)
    seed = int(generator(rng).integers(2**31))
    stream = np.random.default_rng(seed)
    null_scores = np.empty(check.count("draws", draws))
    for draw in tracked(range(draws), progress, total=draws):
        chosen = stream.choice(train.shape[1], features, replace=False)
        with np.errstate(divide="ignore", invalid="ignore"):  # a constant feature tells nothing: nan, set below
            model = GaussianNB().fit(train[:, chosen], label)
            likely = model.predict_proba(test[:, chosen])[:, 1]
        null_scores[draw] = ranked_score(law, truth, np.nan_to_num(likely, nan=0.5)).expected
    winner, count = check.number("score", score), check.count("competitors", competitors)
    return _result("trivial classifiers", metric, winner, null_scores, count, alpha, seed)


def _law(metric: str, truth: Any) -> NullDistribution:
    return null_distribution(metric, positives=int(truth.sum()), negatives=int((~truth).sum()))


def _matrix(name: str, values: Any) -> Floats:
    matrix = check.numbers(name, values, ndim=2)
    if np.isnan(matrix).any():
        raise DataError(f"`{name}` has missing values: fill them first.")
    return matrix


def _scorer(metric: str) -> Callable[[Any, Any, Any], float]:
    """A scikit-learn scorer: the metric of the decision values on a fold's test cases."""

    def score(estimator: Any, X: Any, y: Any) -> float:
        truth = np.asarray(y) == 1
        if truth.all() or not truth.any():
            raise ArgumentError("A test fold has one class only: take fewer folds, or stratified ones.")
        decides = hasattr(estimator, "decision_function")
        values = estimator.decision_function(X) if decides else estimator.predict_proba(X)[:, 1]
        return ranked_score(_law(metric, truth), truth, np.asarray(values, float)).expected

    return score


def _result(
    null: str, metric: str, score: float, null_scores: Floats, competitors: int, alpha: float, seed: int
) -> EmpiricalNullResult:
    ordered = np.sort(null_scores)
    draws = len(ordered)
    p_single = (1 + int((ordered >= score - 1e-12).sum())) / (1 + draws)
    # P(max of C draws <= k-th) = (k / draws)^C
    reach = (np.arange(1, draws + 1) / draws) ** competitors
    expected = float(np.diff(reach, prepend=0.0) @ ordered)
    level = single_level(check.fraction("alpha", alpha), competitors)
    above = int(draws * level)  # how many draws may exceed it
    return EmpiricalNullResult(
        null=null,
        metric=metric_name(metric).name,
        statistic=score,
        pvalue=best_of(p_single, competitors),
        p_single=p_single,
        expected_best=expected,
        critical_value=float(ordered[draws - 1 - above]) if above >= 1 else float("nan"),
        alpha=float(alpha),
        competitors=competitors,
        null_scores=null_scores,
        seed=seed,
    )
