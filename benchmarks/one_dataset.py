"""How often tests on the folds of one dataset reject: real cross-validation of algorithms whose truth is known.

Each replication draws a new dataset of two equally frequent classes with two sets of features. Both sets have the same
law given the class, so an algorithm that sees the first set and one that sees the second have the same expected
accuracy: every rejection is a false alarm. In the rows "worse" the second set separates the classes less, so that
rejections are finds. Learners: Gaussian naive Bayes (stable) and full decision trees (unstable). The designs are
5 x 2 and 10 x 10 folds, stratified, all of the same dataset; the tests are the kernels that Podium uses.

Run: python benchmarks/one_dataset.py > docs/data/one_dataset.csv        (about a quarter of an hour on one core)
     python benchmarks/one_dataset.py 50 10                              (replications for naive Bayes and for trees)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from math import sqrt

import numpy as np
from scipy.stats import binomtest

from podium.evidence.design import Design
from podium.stats import registry

SIZES = (100, 200, 500, 1000)
FEATURES = 5
SHIFT = 0.6  # between the classes, in each feature
WORSE = 0.45  # the same for the second algorithm, in the rows "worse"
ALPHA = 0.05
SURE = 0.95

# name in the table, test, which design its scores come from; McNemar's is on cases, each predicted once
TESTS = (
    ("cv5x2_f", "cv5x2_f", "5x2"),
    ("cv5x2_t", "cv5x2_t", "5x2"),
    ("corrected_t", "corrected_t", "5x2"),
    ("paired_t", "paired_t", "5x2"),
    ("kfold_t", "kfold_t", "1x10"),
    ("corrected_t", "corrected_t", "1x10"),
    ("corrected_t", "corrected_t", "10x10"),
    ("paired_t", "paired_t", "10x10"),
)
DESIGNS = {
    name: Design(repeats=repeats, folds=folds)
    for name, repeats, folds in (("5x2", 5, 2), ("1x10", 1, 10), ("10x10", 10, 10))
}
Learner = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def dataset(rng: np.random.Generator, n: int, worse: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The features of the first and of the second algorithm, and the classes."""
    classes = np.arange(n) % 2
    signs = (classes - 0.5)[:, None]
    first, second = rng.standard_normal((2, n, FEATURES))
    return first + SHIFT * signs, second + (WORSE if worse else SHIFT) * signs, classes


def folds_of(rng: np.random.Generator, classes: np.ndarray, folds: int) -> np.ndarray:
    """Each case's fold; the folds have equal shares of both classes."""
    found = np.empty(len(classes), dtype=np.intp)
    for label in (0, 1):
        members = np.flatnonzero(classes == label)
        found[rng.permutation(members)] = (np.arange(len(members)) + label) % folds
    return found


def naive_bayes(features: np.ndarray, classes: np.ndarray, fold: np.ndarray) -> np.ndarray:
    """The class predicted for each case by Gaussian naive Bayes trained on the other folds, all folds at once."""
    folds = int(fold.max()) + 1
    cells = np.zeros((2 * folds, len(classes)))
    cells[2 * fold + classes, np.arange(len(classes))] = 1.0
    sums = (cells @ np.hstack([features, features**2, np.ones((len(classes), 1))])).reshape(folds, 2, -1)
    train = sums.sum(axis=0) - sums  # (fold, class, sums)
    m, count = features.shape[1], train[..., -1:]
    mean = train[..., :m] / count
    variance = train[..., m : 2 * m] / count - mean**2
    away = (features[:, None, :] - mean[fold]) ** 2 / variance[fold] + np.log(variance[fold])
    score = np.log(count[fold, :, 0]) - 0.5 * away.sum(axis=2)
    return (score[:, 1] > score[:, 0]).astype(np.intp)


def tree(features: np.ndarray, classes: np.ndarray, fold: np.ndarray) -> np.ndarray:
    """The same by a full decision tree."""
    from sklearn.tree import DecisionTreeClassifier

    single, labels = features.astype(np.float32), classes.astype(np.float64)[:, None]
    predicted = np.empty(len(classes), dtype=np.intp)
    learner = DecisionTreeClassifier(random_state=0)
    for part in range(int(fold.max()) + 1):
        here = fold == part
        learner.fit(np.ascontiguousarray(single[~here]), labels[~here], check_input=False)
        predicted[here] = learner.predict(np.ascontiguousarray(single[here]), check_input=False)
    return predicted


def replication(rng: np.random.Generator, learner: Learner, n: int, worse: bool) -> dict[str, np.ndarray]:
    """Differences of accuracy by design (repeats x folds, flat), and the cases that only one of the two gets right."""
    first, second, classes = dataset(rng, n, worse)
    found = {}
    for repeats, folds, name in ((5, 2, "5x2"), (10, 10, "10x10")):
        differences = np.empty((repeats, folds))
        for repeat in range(repeats):
            fold = folds_of(rng, classes, folds)
            right = [(learner(features, classes, fold) == classes).astype(np.float64) for features in (first, second)]
            size = np.bincount(fold, minlength=folds)
            hits = [np.rint(np.bincount(fold, weights=hit, minlength=folds)) for hit in right]
            differences[repeat] = (hits[0] - hits[1]) / size
            if name == "10x10" and repeat == 0:
                found["1x10"] = differences[:1].ravel().copy()
                found["cases"] = np.array([(right[0] > right[1]).sum(), (right[1] > right[0]).sum()])
        found[name] = differences.ravel()
    return found


def pvalues(drawn: dict[str, np.ndarray]) -> Iterator[tuple[str, str, np.ndarray, float]]:
    """Test, design, its p-values over the replications, and the level that it is asked at."""
    for name, test, design in TESTS:
        kernel = registry.load(registry.PAIRWISE[test]).kernel
        options = {} if test == "paired_t" else {"design": DESIGNS[design]}
        yield name, design, kernel(drawn[design], **options).pvalue, ALPHA
        if (name, design) == ("corrected_t", "10x10"):
            # P(a better) by the Bayesian correlated t test is 1 - p / 2: "at least 95 % for either side" is p <= 10 %.
            yield "bayes_correlated_t", design, kernel(drawn[design], **options).pvalue, 2 * (1 - SURE)
    exact = [binomtest(int(a), int(a + b)).pvalue if a + b else 1.0 for a, b in drawn["cases"]]
    yield "mcnemar", "1x10, cases", np.array(exact), ALPHA


def situations(stable: int, unstable: int) -> Iterator[tuple[str, Learner, str, int]]:
    """Name and function of the learner, the truth, and how many replications."""
    yield "naive Bayes", naive_bayes, "equal", stable
    yield "trees", tree, "equal", unstable
    yield "naive Bayes", naive_bayes, "worse", stable


def main(stable: int = 1500, unstable: int = 400) -> None:
    print("learner,truth,cases,test,design,rate,standard_error,replications")
    for place, (learner, function, truth, replications) in enumerate(situations(stable, unstable)):
        for n in SIZES:
            streams = [np.random.default_rng([2026, place, n, i]) for i in range(replications)]
            drawn = [replication(rng, function, n, truth == "worse") for rng in streams]
            together = {key: np.array([one[key] for one in drawn]) for key in drawn[0]}
            for test, design, p, level in pvalues(together):
                rate = float((p <= level).mean())
                error = sqrt(rate * (1 - rate) / replications)
                print(f'{learner},{truth},{n},{test},"{design}",{rate:.4f},{error:.4f},{replications}', flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
