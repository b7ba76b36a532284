"""Every learner is scikit-learn compatible, learns what it should, and stages its free hyperparameter truly."""

import contextlib
import importlib
import unittest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.datasets import load_iris, load_wine, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import estimator_checks_generator

from podium.bench.learners.build import make_estimator, make_space
from podium.bench.learners.c45 import C45Tree, pessimistic
from podium.bench.learners.c45_multiway import MultiwayC45
from podium.bench.learners.catalog import LEARNERS, ULAS, WAINER
from podium.bench.learners.discrete_bayes import DiscreteBayes
from podium.bench.learners.elastic_net import ElasticNetLogistic
from podium.bench.learners.elm import ExtremeLearningMachine
from podium.bench.learners.free import can_stage, staged_predictions
from podium.bench.learners.gaussian_neighbors import GaussianNeighbors
from podium.bench.learners.linear_boost import LinearBoost
from podium.bench.learners.loess_bayes import LoessBayes
from podium.bench.learners.lvq import LearningVectorQuantization
from podium.bench.learners.naive_bayes import NaiveBayes
from podium.bench.learners.oblique_tree import ObliqueTree
from podium.bench.learners.perceptron import OnlinePerceptron
from podium.bench.learners.rknn import RandomNeighbors
from podium.bench.learners.space import Shape
from podium.bench.learners.sparse_discriminant import SparseDiscriminant
from podium.bench.spec import AlgorithmSpec
from podium.core.errors import ArgumentError

OWN = [
    C45Tree(),
    DiscreteBayes(),
    ElasticNetLogistic(),
    ExtremeLearningMachine(n_hidden=20, random_state=0),
    GaussianNeighbors(random_state=0),
    LearningVectorQuantization(random_state=0),
    LinearBoost(),
    LoessBayes(),
    MultiwayC45(),
    NaiveBayes(),
    NaiveBayes(kernel=True, laplace=1.0),
    ObliqueTree(),
    # The defaults are the paper's; a faster rate lets the checks' 30 cases be learnt.
    OnlinePerceptron(rate=0.1, random_state=0),
    OnlinePerceptron(hidden=0, rate=0.1, random_state=0),
    RandomNeighbors(n_estimators=2, random_state=0),
    SparseDiscriminant(),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", OWN, ids=repr)
def test_estimators_pass_the_checks_of_scikit_learn(estimator):
    passed = 0
    for one, check in estimator_checks_generator(estimator, legacy=True, mark="skip"):
        with contextlib.suppress(unittest.SkipTest):  # checks for packages that are not installed
            check(one)
            passed += 1
    assert passed > 40


def spec_of(name):
    return AlgorithmSpec(name=name, learner=name, path=LEARNERS[name].path)


def standardized(load):
    X, y = load(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def test_the_catalogue_has_the_fourteen_and_the_eight():
    assert list(WAINER) == "rf gbm svm-linear svm-poly svm-rbf nnet elm knn rknn nb lvq glmnet sda bst".split()
    assert list(ULAS) == "c45 mdt mlp lnp svl sv2 svr 5nn".split()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", [*WAINER, *ULAS])
def test_every_learner_beats_guessing_with_the_middle_of_its_space(name):
    X, y = standardized(load_wine)
    train = np.arange(len(y)) % 2 == 0
    space = make_space(spec_of(name), Shape(X.shape[1], int(train.sum()), 3), np.random.default_rng(0))
    middle = dict(space.candidates[len(space.candidates) // 2])
    if space.free_name:
        middle[space.free_name] = space.free_values[len(space.free_values) // 2]
    if name == "glmnet":
        middle = {"l1_ratio": 0.5, "penalty": 0.01}
    model = make_estimator(spec_of(name), middle, seed=0).fit(X[train], y[train])
    assert np.mean(model.predict(X[~train]) == y[~train]) > 0.8, middle


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", [name for name, learner in LEARNERS.items() if learner.task == "regression"])
def test_a_learner_of_numbers_takes_both_ends_of_its_space(name):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = X[:, 0] + 0.1 * rng.normal(size=60)
    space = make_space(spec_of(name), Shape(3, 60, 0), rng)
    free = {space.free_name: space.free_values[0]} if space.free_name else {}
    ends = (space.candidates[0], space.candidates[-1])
    right = [make_estimator(spec_of(name), {**end, **free}, seed=0).fit(X, y).score(X, y) for end in ends]
    assert name == "mean" or max(right) > 0.9
    assert space.free_name != "n_estimators" or space.free_values == (50, 100, 200)


def test_search_spaces_are_those_of_the_paper():
    """Wainer (2016, section 2.4) for 400 cases and 16 features."""
    shape, rng = Shape(16, 400, 2), np.random.default_rng(0)

    def space(name):
        return make_space(spec_of(name), shape, rng)

    assert space("rf").candidates == ({"max_features": 2}, {"max_features": 4}, {"max_features": 8})
    assert space("rf").free_values == (200,)  # at most half of the cases
    assert make_space(spec_of("rf"), Shape(16, 8000, 2), rng).free_values == (500, 1000, 1500, 2000, 2500, 3000)
    assert len(space("gbm").candidates) == 10
    assert space("gbm").free_values == tuple(range(50, 401, 20))
    assert len(space("svm-rbf").candidates) == 25
    assert len(space("svm-poly").candidates) == 20
    assert [c["C"] for c in space("svm-linear").candidates] == [2.0**-5, 1.0, 2.0**5, 2.0**10, 2.0**15]
    assert [c["n_hidden"] for c in space("elm").candidates][::23] == [20, 200]
    neighbours = [candidate["n_neighbors"] for candidate in space("knn").candidates]
    assert space("knn").free_values == ()  # each k costs a training in the paper
    assert neighbours[0] == 1
    assert len(neighbours) == 24
    assert min(neighbours[1:]) >= 3
    assert max(neighbours) <= 100
    assert len(space("glmnet").candidates) == 8
    assert space("glmnet").free_values[0] == pytest.approx(1e-5)
    assert space("glmnet").free_values[-1] == pytest.approx(1e5)
    assert len(space("glmnet").free_values) == 20
    assert space("bst").free_values == (100, 300)
    assert len(space("nb").candidates) == 10
    assert len(space("nnet").candidates) == 18  # 3 to 8 hidden units x 3 decays
    assert [c["codebook"] for c in space("lvq").candidates] == [2, 6, 11, 15, 19, 23, 28, 32]
    assert len(space("sda").candidates) == 8
    assert len(space("rknn").candidates) <= 24


@given(st.integers(1, 60), st.integers(8, 5000), st.integers(2, 10))
def test_search_spaces_exist_for_every_shape(features, cases, classes):
    for name in LEARNERS:
        space = make_space(spec_of(name), Shape(features, cases, classes), np.random.default_rng(1))
        assert 1 <= len(space.candidates) <= 25
        assert bool(space.free_name) == bool(space.free_values)


@pytest.mark.parametrize(
    "name, params, values",
    [
        ("rf", {}, (1, 3, 8)),
        ("gbm", {}, (2, 5, 9)),
        ("knn", {}, (1, 2, 5, 12)),
        ("bst", {}, (1, 10, 40)),
        ("glmnet", {}, (0.001, 0.1, 1.0)),
        ("rknn", {"n_neighbors": 3, "max_features": 2}, (1, 4, 9)),
    ],
)
@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_free_values_predict_what_separate_trainings_predict(name, params, values, load):
    X, y = standardized(load)
    free = make_space(spec_of(name), Shape(4, 100, 3), np.random.default_rng(0)).free_name or "n_neighbors"
    once = {"path": values} if name == "glmnet" else {free: max(values)}
    model = make_estimator(spec_of(name), {**params, **once}, seed=3).fit(X[::2], y[::2])
    staged = staged_predictions(model, free, X[1::2], values)
    for value, labels in zip(values, staged, strict=True):
        alone = make_estimator(spec_of(name), {**params, free: value}, seed=3).fit(X[::2], y[::2])
        agreement = np.mean(labels == alone.predict(X[1::2]))
        # The path of penalties is followed to a tolerance, so a case on the border may differ.
        assert agreement == 1.0 or (name == "glmnet" and agreement > 0.97)


@pytest.mark.parametrize(
    "path, name, value",
    [
        ("sklearn.ensemble.ExtraTreesClassifier", "n_estimators", 5),
        ("sklearn.ensemble.AdaBoostClassifier", "n_estimators", 5),
        ("sklearn.ensemble.HistGradientBoostingClassifier", "max_iter", 5),
    ],
)
def test_other_ensembles_stage_as_well(path, name, value):
    X, y = standardized(load_iris)
    spec = AlgorithmSpec(name="x", path=path)
    model = make_estimator(spec, {name: 9}, seed=0).fit(X, y)
    alone = make_estimator(spec, {name: value}, seed=0).fit(X, y)
    assert (staged_predictions(model, name, X, [value, 9])[0] == alone.predict(X)).all()


def test_neighbours_weighted_by_distance_are_staged_with_their_weights():
    from sklearn.neighbors import KNeighborsClassifier

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 2)), rng.integers(0, 3, 80)
    new = np.vstack([X[:20], rng.normal(size=(60, 2))])  # some are training cases: at no distance only they vote
    values = [1, 2, 3, 4, 5, 8, 13, 30]
    staged = staged_predictions(KNeighborsClassifier(30, weights="distance").fit(X, y), "n_neighbors", new, values)
    for k, labels in zip(values, staged, strict=True):
        assert (labels == KNeighborsClassifier(k, weights="distance").fit(X, y).predict(new)).all()
    plain = staged_predictions(KNeighborsClassifier(30).fit(X, y), "n_neighbors", new, values)
    assert any((a != b).any() for a, b in zip(plain, staged, strict=True))
    assert not can_stage(KNeighborsClassifier(weights=lambda distance: distance), "n_neighbors")


class XGBClassifier:
    """Stands in for a package that need not be installed: what matters are its name and its settings."""

    def __init__(self, **settings):
        self.settings = settings

    def get_params(self):
        return self.settings


class XGBRFClassifier(XGBClassifier):
    pass


class LGBMClassifier(XGBClassifier):
    pass


class CatBoostClassifier(XGBClassifier):
    pass


@pytest.mark.parametrize(
    "model, free",
    [
        (XGBClassifier(), True),
        (XGBClassifier(booster="gbtree"), True),
        (XGBClassifier(booster="dart"), False),  # dropout changes earlier trees
        (XGBClassifier(booster="gblinear"), False),
        (XGBRFClassifier(), False),
        (LGBMClassifier(boosting_type="gbdt"), True),
        (LGBMClassifier(boosting_type="dart"), False),
        (CatBoostClassifier(learning_rate=0.1), True),
        (CatBoostClassifier(), False),  # it chooses its rate of learning by the number of trees
    ],
)
def test_boosting_is_staged_only_where_its_first_trees_stay_what_they_are(model, free):
    assert can_stage(model, "n_estimators") is free


def test_what_cannot_be_staged_is_searched_with_a_training_per_value():
    from podium.bench.learners.space import Space
    from podium.bench.search import SearchFold, search

    X, y = standardized(load_iris)
    part = SearchFold(X[::2], y[::2], X[1::2], y[1::2])
    space = Space(({"weights": "uniform"}, {"weights": np.exp}), "n_neighbors", (1, 5, 9))
    found = search(lambda params: make_estimator(spec_of("5nn"), params, 0), space, [part])
    assert (found.combinations, found.trainings, found.failures) == (6, 4, ())


def test_what_cannot_be_staged_is_refused():
    X, y = standardized(load_iris)
    model = make_estimator(spec_of("svm-rbf"), {}, seed=0).fit(X, y)
    assert not can_stage(model, "C")
    with pytest.raises(ArgumentError, match="put it in `search`"):
        staged_predictions(model, "C", X, [1.0])


# ---- each estimator against what it should equal ---------------------------------------------------------------


@pytest.mark.parametrize("l1_ratio", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("penalty", [0.3, 0.05, 0.003])
def test_elastic_net_reaches_the_optimum_of_its_objective(l1_ratio, penalty):
    """Against scikit-learn's SAGA at the same objective: C = 1 / (n * penalty)."""
    X, y = make_classification(120, 8, n_informative=4, random_state=0)
    X = StandardScaler().fit_transform(X)
    ours = ElasticNetLogistic(penalty=penalty, l1_ratio=l1_ratio, tol=1e-7).fit(X, y)
    theirs = LogisticRegression(
        l1_ratio=l1_ratio, solver="saga", C=1 / (len(y) * penalty), tol=1e-9, max_iter=20_000
    ).fit(X, y)

    def objective(w, b):
        loss = np.mean(np.logaddexp(0, -(2 * y - 1) * (X @ w + b)))
        return loss + penalty * (l1_ratio * np.abs(w).sum() + (1 - l1_ratio) / 2 * w @ w)

    place = list(ours.penalties_).index(penalty)
    found = objective(ours.weights_[0, place], ours.thresholds_[0, place])
    assert found <= objective(theirs.coef_[0], theirs.intercept_[0]) + 1e-7


def test_naive_bayes_is_scikit_learns_on_numbers():
    X, y = standardized(load_wine)
    np.testing.assert_allclose(
        NaiveBayes().fit(X, y).predict_proba(X), GaussianNB().fit(X, y).predict_proba(X), atol=1e-6
    )


def test_naive_bayes_counts_features_with_two_values():
    X = np.array([[0], [0], [0], [1], [1], [1], [1], [0]])
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    model = NaiveBayes(laplace=1.0).fit(X, y)
    # Class 0: one of four is high, with Laplace (1 + 1) / (4 + 2); class 1: three of four.
    np.testing.assert_allclose(model.predict_proba([[1]]), [[1 / 3, 2 / 3]])


def test_kernel_naive_bayes_sees_what_a_normal_cannot():
    rng = np.random.default_rng(0)
    inner, outer = rng.normal(0, 0.5, 200), np.concatenate([rng.normal(-3, 0.5, 100), rng.normal(3, 0.5, 100)])
    X, y = np.concatenate([inner, outer])[:, None], np.repeat([0, 1], 200)
    assert NaiveBayes(kernel=True).fit(X, y).score(X, y) > 0.99


def test_silvermans_bandwidth_is_that_of_r():
    """R: bw.nrd0(c(1, 2, 3, 4, 10)) = 0.9 * min(sd, IQR / 1.34) * 5^-0.2 with IQR 2 = 0.9736."""
    from podium.bench.learners.naive_bayes import _silverman

    assert _silverman(np.array([[1.0], [2.0], [3.0], [4.0], [10.0]]))[0] == pytest.approx(0.9 * 2 / 1.34 * 5**-0.2)


def test_extreme_learning_machine_solves_least_squares():
    X, y = make_classification(80, 5, random_state=1)
    model = ExtremeLearningMachine(n_hidden=10, random_state=0).fit(X, y)
    hidden = expit(X @ model.weights_ + model.thresholds_)
    residual = hidden @ model.outputs_[:, 0] - (2 * y - 1)
    np.testing.assert_allclose(hidden.T @ residual, 0, atol=1e-8)


def test_linear_boost_finds_the_one_feature_that_matters():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    model = LinearBoost(n_boosts=20).fit(X, X[:, 4] > 0.3)
    assert np.abs(model.coef_[0]).argmax() == 4
    # One boost by hand: the gradient at 0 is y, the best feature's line is added, shrunk.
    y = np.where(X[:, 4] > 0.3, 1.0, -1.0)
    one = LinearBoost(n_boosts=1, shrinkage=0.1).fit(X, y)
    x = X[:, 4] - X[:, 4].mean()
    slope = x @ y / (x @ x)
    np.testing.assert_allclose(one.coef_[0, 4], 0.1 * slope)
    np.testing.assert_allclose(one.intercept_[0], 0.1 * (y.mean() - slope * X[:, 4].mean()))


def test_sparse_discriminant_of_two_classes_is_the_lasso_and_without_penalty_it_is_lda():
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    X, y = make_classification(150, 10, n_informative=3, n_redundant=0, random_state=2)
    X = StandardScaler().fit_transform(X)
    sparse = SparseDiscriminant(penalty=0.1).fit(X, y)
    assert 0 < np.count_nonzero(sparse.directions_) < 10
    plain = SparseDiscriminant(penalty=1e-8).fit(X, y)
    lda = LinearDiscriminantAnalysis().fit(X, y)
    assert np.mean(plain.predict(X) == lda.predict(X)) > 0.99
    many, labels = standardized(load_wine)
    lda = LinearDiscriminantAnalysis().fit(many, labels)
    assert np.mean(SparseDiscriminant(penalty=1e-8).fit(many, labels).predict(many) == lda.predict(many)) > 0.98


def test_sparse_discriminant_without_any_feature_predicts_the_commonest_class():
    X, y = make_classification(60, 4, weights=[0.3], random_state=2)
    model = SparseDiscriminant(penalty=1000.0).fit(X, y)
    assert set(model.predict(X)) == {np.bincount(y).argmax()}


def test_lvq_prototypes_sit_in_their_classes():
    X, y = standardized(load_iris)
    model = LearningVectorQuantization(codebook=6, random_state=0).fit(X, y)
    assert set(model.owners_) == {0, 1, 2}
    for prototype, owner in zip(model.prototypes_, model.owners_, strict=True):
        nearest = np.argsort(((X - prototype) ** 2).sum(axis=1))[:5]
        assert np.mean(y[nearest] == owner) >= 0.6


def test_random_neighbors_with_all_features_is_knn():
    from sklearn.neighbors import KNeighborsClassifier

    X, y = standardized(load_wine)
    ours = RandomNeighbors(n_estimators=1, max_features=13, n_neighbors=5).fit(X[::2], y[::2])
    assert (ours.predict(X[1::2]) == KNeighborsClassifier(5).fit(X[::2], y[::2]).predict(X[1::2])).all()


def leaves(node):
    return sum(map(leaves, node.children)) or 1


def test_c45_splits_by_gain_ratio_and_prunes():
    # Feature 0 separates the classes fully at 0.5; feature 1 is noise.
    rng = np.random.default_rng(0)
    X = np.column_stack([np.repeat([0.0, 1.0], 20), rng.normal(size=40)])
    tree = C45Tree().fit(X, np.repeat(["a", "b"], 20))
    assert (tree.root_.question, leaves(tree.root_)) == ((0, 0.5, None), 2)
    # A rule with a quarter of the labels wrong: pruning takes away what only the noise explains.
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] > 0) ^ (X[:, 1] > 0) ^ (rng.random(300) < 0.15)
    sizes = [leaves(C45Tree(confidence=level).fit(X, y).root_) for level in (0.01, 0.25, 0.9)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
    # No rule at all: nothing pays the price of its threshold.
    assert not C45Tree().fit(rng.normal(size=(200, 3)), rng.integers(0, 2, 200)).root_.children


def test_c45_upper_limit_of_errors_is_quinlans():
    """Quinlan (1993), p. 41: U25%(0, 6) = 0.206, U25%(0, 9) = 0.143, U25%(0, 1) = 0.750."""
    for errors, cases, limit in ((0, 6, 0.206), (0, 9, 0.143), (0, 1, 0.750)):
        assert pessimistic(errors, cases, 0.25) / cases == pytest.approx(limit, abs=5e-4)


def test_oblique_tree_needs_one_question_for_an_oblique_border():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = X @ [1.0, -1.0] > 0
    tree = ObliqueTree().fit(X, y)
    assert tree.score(X, y) > 0.97
    assert leaves(tree.root_) < leaves(C45Tree().fit(X, y).root_)


def test_perceptrons_learn_what_they_can():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (400, 2))
    xor = (X[:, 0] * X[:, 1] > 0).astype(int)
    assert OnlinePerceptron(hidden=0, random_state=0).fit(X, xor).score(X, xor) < 0.7
    deep = OnlinePerceptron(hidden=8, epochs=300, rate=0.5, decay=0.99, random_state=0).fit(X, xor)
    assert deep.score(X, xor) > 0.9
    line = (X @ [1, 2] > 0.2).astype(int)
    assert OnlinePerceptron(hidden=0, rate=0.1, random_state=0).fit(X, line).score(X, line) > 0.95


def test_perceptron_steps_down_the_gradient():
    """One case, one epoch, no hidden unit: w += rate * (target - softmax) * x, from the drawn start."""
    X, y = np.array([[0.5, -1.0], [0.5, -1.0]]), np.array([0, 1])
    before = OnlinePerceptron(hidden=0, epochs=0, random_state=3).fit(X, y)
    after = OnlinePerceptron(hidden=0, epochs=1, rate=0.1, random_state=3).fit(X, y)
    order = np.random.RandomState(3)
    order.uniform(size=(3, 0)), order.uniform(size=(3, 2))
    W = before.outputs_.copy()
    for case in order.permutation(2):
        signal = np.append(X[case], 1.0)
        p = np.exp(signal @ W)
        W += 0.1 * np.outer(signal, np.eye(2)[y[case]] - p / p.sum())
    np.testing.assert_allclose(after.outputs_, W)


def test_trees_work_inside_scikit_learns_tools():
    X, y = load_wine(return_X_y=True)
    assert cross_val_score(make_pipeline(StandardScaler(), C45Tree()), X, y, cv=5).mean() > 0.85
    assert cross_val_score(make_pipeline(StandardScaler(), ObliqueTree()), X, y, cv=5).mean() > 0.85


def test_every_path_of_the_catalogue_can_be_imported():
    for learner in LEARNERS.values():
        module, _, name = learner.path.rpartition(".")
        assert hasattr(importlib.import_module(module), name)
        assert learner.title


def test_the_quadratic_kernel_of_ulas_is_homogeneous():
    # Ulas et al. (2008), Table A.6: sv2 has 50.25 on twonorm, whose classes are each other's mirror images; with a constant 98.
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=600)
    X = rng.normal(size=(600, 20)) + np.where(y == 1, 1, -1)[:, None] * 2 / np.sqrt(20)
    X = (X - X[:300].mean(axis=0)) / X[:300].std(axis=0)
    found = {
        name: SVC(**LEARNERS[name].params, C=1.0).fit(X[:300], y[:300]).score(X[300:], y[300:])
        for name in ("sv2", "sv2-inhomogeneous")
    }
    assert 0.4 < found["sv2"] < 0.6
    assert found["sv2-inhomogeneous"] > 0.93
