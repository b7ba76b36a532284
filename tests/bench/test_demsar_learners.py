"""The learners of Demsar (2006, the Slovene paper): against Weka 3.6.14, other programs and brute force."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from podium.bench.datasets import builtin
from podium.bench.datasets.model import Columns, from_frame
from podium.bench.learners.build import make_estimator, make_space
from podium.bench.learners.c45 import pruned
from podium.bench.learners.c45_multiway import MultiwayC45
from podium.bench.learners.catalog import CONFIDENCES, DEMSAR
from podium.bench.learners.discrete_bayes import DiscreteBayes, cuts
from podium.bench.learners.gaussian_neighbors import GaussianNeighbors
from podium.bench.learners.loess_bayes import LoessBayes, _loess
from podium.bench.learners.space import Shape
from podium.bench.spec import AlgorithmSpec


def coded(frame):
    """A table by a rule as codes of levels, and its classes."""
    frame = frame.astype(str)
    target = "class" if "class" in frame else frame.columns[-1]
    names = tuple(name for name in frame.columns if name != target)
    data = from_frame("rule", frame, target, Columns(nominal=names))
    return data.nominal.astype(float), data.y


def numbers(load):
    data = load()
    return data.data, data.target


def leaves(tree):
    def count(node):
        return sum(map(count, node.children)) or 1

    return count(pruned(tree.root_, tree.confidence)[0])


# `java -cp weka.jar weka.classifiers.trees.J48 -S -no-cv -t FILE`: leaves (None: Weka's approximate error limit prunes a
# little less) and how many of the training cases are right.
J48 = [
    (lambda: coded(builtin.balance_scale()), 4, 33, 469),
    (lambda: coded(builtin.tic_tac_toe()), 9, None, 902),
    (lambda: coded(builtin.monks(1)), 6, 4, 324),
    (lambda: coded(builtin.monks(2)), 6, 1, 290),
    (lambda: numbers(load_iris), 0, 5, 147),
    (lambda: numbers(load_wine), 0, 5, 176),
    (lambda: numbers(load_breast_cancer), 0, None, 564),
]


@pytest.mark.parametrize("data, nominal, n_leaves, right", J48)
def test_c45_is_the_tree_of_j48(data, nominal, n_leaves, right):
    X, y = data()
    tree = MultiwayC45(nominal=nominal).fit(X, y)
    assert n_leaves is None or leaves(tree) == n_leaves
    assert int((tree.predict(X) == y).sum()) == right


def test_one_grown_tree_is_pruned_several_times():
    X, y = coded(builtin.tic_tac_toe())
    grown = MultiwayC45(nominal=9, confidence=0.5).fit(X, y)
    staged = grown.predict_path(X, CONFIDENCES)
    sizes = []
    for confidence, labels in zip(CONFIDENCES, staged, strict=True):
        alone = MultiwayC45(nominal=9, confidence=confidence).fit(X, y)
        assert (alone.predict(X) == labels).all()
        sizes.append(leaves(alone))
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_c45_says_what_the_parent_says_of_a_value_that_training_never_saw():
    X = np.array([[0.0], [0], [0], [1], [1], [1], [1]])
    tree = MultiwayC45(nominal=1).fit(X, np.array([0, 0, 0, 1, 1, 1, 1]))
    assert tree.predict([[0.0], [1.0], [7.0]]).tolist() == [0, 1, 1]


def test_numbers_are_cut_where_weka_cuts_them():
    # `weka.filters.supervised.attribute.Discretize`
    iris = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    wine = {0: [12.185, 12.78], 2: [2.03], 6: [0.975, 1.575, 2.31], 10: [0.785, 0.975, 1.295], 12: [468, 755, 987.5]}
    X, y = numbers(load_iris)
    assert [cuts(column, y, 3) for column in X.T] == [pytest.approx(cut) for cut in iris]
    X, y = numbers(load_wine)
    for column, cut in wine.items():
        assert cuts(X[:, column], y, 3) == pytest.approx(cut)
    assert cuts(np.random.default_rng(0).normal(size=200), np.arange(200) % 2, 2) == []


def test_discrete_bayes_by_hand_and_as_scikit_learn_has_it():
    from sklearn.naive_bayes import CategoricalNB

    X, y = coded(builtin.balance_scale())
    found = DiscreteBayes(nominal=4).fit(X, y)
    peer = CategoricalNB(alpha=1.0, class_prior=np.exp(found.prior_)).fit(X.astype(int), y)
    assert found.predict_proba(X) == pytest.approx(peer.predict_proba(X.astype(int)))
    one = DiscreteBayes(nominal=1).fit([[0.0], [0], [1], [1]], [0, 0, 1, 1])
    odds = (3 / 4) / (1 / 4)  # (2 + 1) / (2 + 2) against (0 + 1) / (2 + 2), priors equal
    assert one.predict_proba([[0.0]])[0] == pytest.approx([odds / (1 + odds), 1 / (1 + odds)])
    assert one.predict_proba([[-1.0], [9.0]]) == pytest.approx(np.full((2, 2), 0.5))  # missing, and never seen


def test_loess_is_a_weighted_line_through_half_of_the_cases():
    rng = np.random.default_rng(1)
    x = np.sort(rng.normal(size=40))
    marks = np.eye(2)[(rng.random(40) < 0.5).astype(int)]
    for point in (-1.0, 0.1, 1.2):
        away = np.abs(x - point)
        reach = 1.001 * np.sort(away)[19]
        weight = np.clip(1 - (away / reach) ** 3, 0, None) ** 1.5  # polyfit squares it
        line = np.polyfit(x, marks[:, 1], 1, w=weight)
        expected = np.clip(np.polyval(line, point), 0, 1)
        assert _loess(x, marks, np.array([point]))[0, 1] == pytest.approx(expected, abs=1e-9)
    constant = _loess(np.zeros(6), np.eye(2)[[0, 0, 0, 0, 1, 1]], np.array([0.0]))
    assert constant[0] == pytest.approx([4 / 6, 2 / 6])


def test_both_naive_bayes_are_the_same_without_numbers():
    X, y = coded(builtin.tic_tac_toe())
    discrete, loess = (made(nominal=9).fit(X, y) for made in (DiscreteBayes, LoessBayes))
    assert (discrete.predict_proba(X) == loess.predict_proba(X)).all()
    X, y = numbers(load_iris)
    assert (LoessBayes().fit(X, y).predict(X) == y).mean() > 0.93


def test_neighbours_by_brute_force():
    rng = np.random.default_rng(2)
    X = np.column_stack([rng.normal(size=(60, 3)) * [1, 10, 100], rng.integers(0, 3, 60)])
    y = rng.integers(0, 3, 60)
    new = X[:20] + np.array([0.1, 1, 10, 0])
    found = GaussianNeighbors(nominal=1, random_state=0).fit(X, y).predict_proba(new)
    width = np.ptp(X[:, :3], axis=0)
    votes = np.exp(-(np.arange(1, 11) ** 2) * np.log(1000) / 100)
    assert votes[-1] == pytest.approx(0.001)
    for case, shares in zip(new, found, strict=True):
        away = (((X[:, :3] - case[:3]) / width) ** 2).sum(axis=1) + (X[:, 3] != case[3])
        near = y[np.argsort(away)[:10]]
        expected = np.array([votes[near == c].sum() for c in range(3)])
        assert shares == pytest.approx(expected / expected.sum())


def test_ties_of_distance_do_not_favour_the_first_cases_of_the_file():
    # All cases are equally far: in the order of the file the ten nearest would all be of class 0.
    X, y = np.zeros((400, 1)), np.repeat([0, 1], 200)
    shares = [
        GaussianNeighbors(nominal=1, random_state=seed).fit(X, y).predict_proba([[0.0]])[0, 0] for seed in range(200)
    ]
    assert 0.4 < np.mean(shares) < 0.6


@pytest.mark.parametrize("name", DEMSAR)
def test_the_runner_tells_how_many_features_are_nominal(name):
    spec = AlgorithmSpec(name=name, learner=name, path=DEMSAR[name].path)
    assert make_estimator(spec, {}, 0, nominal=3).nominal == 3
    space = make_space(spec, Shape(5, 100, 2), np.random.default_rng(0))
    assert bool(space.free_values) == name.endswith("cf")
    assert len(space.candidates) == (5 if "-m" in name and "mdl" not in name and "multiway" not in name else 1)
