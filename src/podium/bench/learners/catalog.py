"""The catalogue: which class each learner is, its search space, and how close it is to the one in the papers.

Wainer's ranges follow section 2.4 of his paper (arXiv:1606.00930); where the formulas were not legible in the copy at
hand they are the usual ones for these learners, so check them against the paper before calling a run a replication.
nfeat are the features and ndat the cases of the training part. Names load their package only when a task runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from podium.bench.learners.space import Shape, Space, grid, whole_numbers

__all__ = ["LEARNERS", "ULAS", "WAINER", "Learner"]

Build = Callable[[Shape, np.random.Generator], Space]
_OWN = "podium.bench.learners"


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """One algorithm of the catalogue. `note` says in which respects it differs from the paper's."""

    path: str
    title: str
    params: Mapping[str, Any] = field(default_factory=dict)
    space: Build = lambda shape, rng: Space()
    note: str = ""


def _upto(values: range, limit: float) -> tuple[int, ...]:
    """The values below the limit; where none is, the limit itself."""
    return tuple(v for v in values if v <= limit) or (max(int(limit), 2),)


def _neighbours(shape: Shape, rng: np.random.Generator, count: int) -> list[int]:
    """1 and at most so many random values from 3 to ndat / 4; never more than the search's folds can hold."""
    top = max(int(shape.cases / 4), 3)
    pool = np.arange(3, top + 1)
    return [1, *sorted(int(k) for k in rng.choice(pool, size=min(count, len(pool)), replace=False))]


def _bst(shape: Shape, rng: np.random.Generator) -> Space:
    return Space(grid({"shrinkage": [0.05, 0.1]}), "n_boosts", _upto(range(100, 3001, 200), shape.cases))


def _elm(shape: Shape, rng: np.random.Generator) -> Space:
    return Space(grid({"n_hidden": whole_numbers(20, max(shape.cases / 2, 20), 24)}))


def _gbm(shape: Shape, rng: np.random.Generator) -> Space:
    candidates = grid({"max_depth": [1, 2, 3, 4, 5], "learning_rate": [0.05, 0.1]})
    return Space(candidates, "n_estimators", _upto(range(50, 501, 20), shape.cases))


def _glmnet(shape: Shape, rng: np.random.Generator) -> Space:
    penalties = tuple(float(v) for v in np.logspace(-5, 5, 20))
    return Space(grid({"l1_ratio": [float(v) for v in np.linspace(0, 1, 8)]}), "penalty", penalties)


def _knn(shape: Shape, rng: np.random.Generator) -> Space:
    return Space(({},), "n_neighbors", tuple(_neighbours(shape, rng, 23)))


def _lvq(shape: Shape, rng: np.random.Generator) -> Space:
    return Space(grid({"codebook": whole_numbers(max(2, shape.classes), max(2 * shape.features, 4), 8)}))


def _nb(shape: Shape, rng: np.random.Generator) -> Space:
    return Space(grid({"kernel": [False, True], "laplace": [0.0, 0.1, 1.0, 10.0, 100.0]}))


def _nnet(shape: Shape, rng: np.random.Generator) -> Space:
    hidden = [(units,) for units in whole_numbers(3, shape.features / 2, 8)]
    # R's nnet adds decay * |w|^2 to the summed loss; scikit-learn adds alpha / 2 * |w|^2: alpha = 2 decay.
    return Space(grid({"hidden_layer_sizes": hidden, "alpha": [0.0, 0.02, 0.2]}))


def _rf(shape: Shape, rng: np.random.Generator) -> Space:
    root, top = np.sqrt(shape.features), max(shape.features / 2, 1)
    tries = sorted({max(1, int(min(factor * root, top))) for factor in (0.5, 1, 2)})
    return Space(grid({"max_features": tries}), "n_estimators", _upto(range(500, 3001, 500), shape.cases / 2))


def _rknn(shape: Shape, rng: np.random.Generator) -> Space:
    subset = whole_numbers(min(2, shape.features), max(shape.features - 2, min(2, shape.features)), 4)
    neighbours = _neighbours(shape, rng, 24 // len(subset) - 1)
    return Space(grid({"max_features": subset, "n_neighbors": neighbours}), "n_estimators", tuple(range(5, 101, 20)))


def _sda(shape: Shape, rng: np.random.Generator) -> Space:
    return Space(grid({"penalty": [float(v) for v in np.logspace(-8, 3, 8)]}))


_COSTS = [2.0**power for power in (-5, 0, 5, 10, 15)]


def _svm(**more: list[Any]) -> Build:
    return lambda shape, rng: Space(grid({"C": _COSTS, **more}))


def _ulas_svm(costs: int, widths: int = 0) -> Build:
    lists: dict[str, list[float]] = {"C": [float(v) for v in np.logspace(-5, 5, costs)]}
    if widths:
        lists["gamma"] = [float(v) for v in np.logspace(-3, 3, widths)]
    return lambda shape, rng: Space(grid(lists))


# libsvm does not stop on its own where C is huge and the classes overlap.
_SVC: dict[str, Any] = {"max_iter": 100_000}
_LIMIT = "libsvm as in the papers' packages; its iterations are limited to 100,000."

WAINER: Mapping[str, Learner] = {
    "rf": Learner(path="sklearn.ensemble.RandomForestClassifier", title="random forest", space=_rf),
    "gbm": Learner(
        path="sklearn.ensemble.GradientBoostingClassifier",
        title="gradient boosting machine",
        params={"subsample": 0.5, "min_samples_leaf": 10},
        space=_gbm,
        note="R's gbm defaults (half of the cases per tree, leaves of 10); depth for interaction depth.",
    ),
    "svm-linear": Learner(
        path="sklearn.svm.SVC", title="linear SVM", params={**_SVC, "kernel": "linear"}, space=_svm(), note=_LIMIT
    ),
    "svm-poly": Learner(
        path="sklearn.svm.SVC",
        title="polynomial SVM",
        params={**_SVC, "kernel": "poly", "gamma": "auto", "coef0": 1.0},
        space=_svm(degree=[2, 3, 4, 5]),
        note=_LIMIT,
    ),
    "svm-rbf": Learner(
        path="sklearn.svm.SVC",
        title="RBF SVM",
        params=dict(_SVC),
        space=_svm(gamma=[2.0**power for power in (-15, -10.5, -6, -1.5, 3)]),
        note=_LIMIT,
    ),
    "nnet": Learner(
        path="sklearn.neural_network.MLPClassifier",
        title="neural net with one hidden layer",
        params={"activation": "logistic", "solver": "lbfgs", "max_iter": 100},
        space=_nnet,
        note="R's nnet: BFGS, 100 iterations; here L-BFGS.",
    ),
    "elm": Learner(path=f"{_OWN}.elm.ExtremeLearningMachine", title="extreme learning machine", space=_elm),
    "knn": Learner(path="sklearn.neighbors.KNeighborsClassifier", title="k nearest neighbours", space=_knn),
    "rknn": Learner(
        path=f"{_OWN}.rknn.RandomNeighbors",
        title="bagging of k-NN on random features",
        space=_rknn,
        note="4 sizes of the feature subset x at most 6 values of k: 24 trainings.",
    ),
    "nb": Learner(
        path=f"{_OWN}.naive_bayes.NaiveBayes",
        title="naive Bayes",
        space=_nb,
        note="klaR's two switches; Laplace's correction acts on features with two values.",
    ),
    "lvq": Learner(
        path=f"{_OWN}.lvq.LearningVectorQuantization",
        title="learning vector quantisation",
        space=_lvq,
        note="OLVQ1 as in R's class, started from random cases of each class.",
    ),
    "glmnet": Learner(
        path=f"{_OWN}.elastic_net.ElasticNetLogistic",
        title="elastic-net logistic regression",
        space=_glmnet,
        note="coordinate descent along the path of penalties; several classes one against the rest.",
    ),
    "sda": Learner(
        path=f"{_OWN}.sparse_discriminant.SparseDiscriminant",
        title="sparse (L1) discriminant analysis",
        space=_sda,
        note="optimal scoring with a lasso, as Clemmensen et al. (2011) without their ridge term.",
    ),
    "bst": Learner(
        path=f"{_OWN}.linear_boost.LinearBoost",
        title="boosting of linear models",
        space=_bst,
        note="component-wise least squares on the hinge loss, as R's bst; several classes one against the rest.",
    ),
}

ULAS: Mapping[str, Learner] = {
    "c45": Learner(
        path=f"{_OWN}.c45.C45Tree",
        title="C4.5 decision tree",
        note="gain ratio and pessimistic pruning on numeric and one-hot features: all splits are binary.",
    ),
    "mdt": Learner(
        path=f"{_OWN}.oblique_tree.ObliqueTree",
        title="multivariate decision tree",
        note="Fisher's direction at each node, classes put into two groups by exchange (Yildiz and Alpaydin 2005).",
    ),
    "mlp": Learner(
        path=f"{_OWN}.perceptron.OnlinePerceptron",
        title="multilayer perceptron",
        params={"hidden": "auto"},
        note="(D + K) / 2 hidden units, softmax, online, 50 epochs, rate 0.01 times 0.95 per epoch, as in the paper.",
    ),
    "lnp": Learner(
        path=f"{_OWN}.perceptron.OnlinePerceptron", title="linear perceptron with softmax", params={"hidden": 0}
    ),
    "svl": Learner(
        path="sklearn.svm.SVC",
        title="SVM with a linear kernel",
        params={**_SVC, "kernel": "linear"},
        space=_ulas_svm(11),
        note="searched within the training part; the paper searched on the validation part.",
    ),
    "sv2": Learner(
        path="sklearn.svm.SVC",
        title="SVM with a quadratic kernel",
        params={**_SVC, "kernel": "poly", "degree": 2, "gamma": "auto", "coef0": 1.0},
        space=_ulas_svm(11),
        note="as svl.",
    ),
    "svr": Learner(
        path="sklearn.svm.SVC",
        title="SVM with a Gaussian kernel",
        params=dict(_SVC),
        space=_ulas_svm(6, 4),
        note="as svl; 6 values of C x 4 widths over the paper's ranges.",
    ),
    "5nn": Learner(
        path="sklearn.neighbors.KNeighborsClassifier", title="5 nearest neighbours", params={"n_neighbors": 5}
    ),
}

LEARNERS: Mapping[str, Learner] = {**WAINER, **ULAS}
