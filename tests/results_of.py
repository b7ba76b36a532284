"""Nearly every kind of result, room by room, on algorithms with a name that is markup."""

import numpy as np
import pandas as pd

import podium
from podium.chance.labels import label_luck

ROOMS = ("stats", "bayes", "cases", "ordering", "chance", "planning", "studies", "comparison")
EVIL = "<b>&x</b>"  # an algorithm whose name would be markup
NAMES = [EVIL, "b", "c"]

_rng = np.random.default_rng(0)
TABLE = pd.DataFrame(_rng.normal(loc=(0, 0.5, 1), size=(12, 3)), columns=NAMES)
X, Y = TABLE[EVIL].to_numpy(), TABLE["b"].to_numpy()
FOLDS = _rng.normal(size=(2, 5, 2))
TRUTH = np.repeat([0, 1], 20)
GUESSES = {EVIL: _rng.normal(size=40), "b": _rng.normal(size=40)}


def scores():
    """Accuracy and cost of three algorithms on four datasets, 5 x 2 folds."""
    columns = ["dataset", "algorithm", "repeat", "fold", "metric", "value"]
    stream = np.random.default_rng(1)
    rows = [
        (d, a, r, f, m, float(stream.uniform(1, 2)))
        for d in ("p", "q", "r", "s")
        for a in NAMES
        for r in range(5)
        for f in range(2)
        for m in ("accuracy", "train_time")
    ]
    long = podium.read(pd.DataFrame(rows, columns=columns), direction={"train_time": "lower"})
    return long.scores("accuracy"), long.scores("train_time")


def stats():
    pairs = podium.stats.all_pairs(TABLE)
    return [
        *(getattr(podium.stats, test)(X, Y) for test in ("wilcoxon", "sign", "paired_t", "permutation")),
        *(getattr(podium.stats, test)(np.exp(X), np.exp(Y)) for test in ("relative_t", "geometric_ratio")),
        podium.stats.equivalence(X, Y, rope=1.0),
        podium.stats.corrected_t(*FOLDS),
        podium.stats.kfold_t(FOLDS[0].ravel(), FOLDS[1].ravel()),
        podium.stats.cv5x2_t(*FOLDS),
        podium.stats.cv5x2_f(*FOLDS),
        *(
            getattr(podium.stats, test)(TABLE)
            for test in ("friedman", "anova", "quade", "aligned_ranks", "skillings_mack")
        ),
        *(getattr(podium.stats, test)(TABLE) for test in ("nemenyi", "mean_ranks", "rank_sums", "conover", "tukey")),
        podium.stats.bonferroni_dunn(TABLE, EVIL),
        podium.stats.dunnett(TABLE, EVIL),
        pairs,
        podium.stats.versus_control(TABLE, EVIL),
        podium.stats.groups(pairs),
        podium.stats.rank_intervals(pairs),
        podium.stats.effect_sizes(X, Y, rng=0),
        podium.stats.cohen_dz(X, Y),
        podium.stats.critical_wins([10, 20]),
    ]


def bayes():
    folds, two = scores()[0], {"names": (EVIL, "b")}
    posterior = podium.bayes.all_pairs(TABLE, model="sign", rope=0.1, rng=0)
    return [
        podium.bayes.sign(X, Y, **two, rng=0),
        podium.bayes.signed_rank(X, Y, **two, rng=0),
        podium.bayes.imprecise(TABLE, draws=200),
        podium.bayes.correlated_t(FOLDS[0], FOLDS[1], **two),
        podium.bayes.hierarchical(folds.values[:, 0], folds.values[:, 1], **two, rng=0),
        podium.bayes.anova(TABLE, rope=0.1, rng=0),
        podium.bayes.anova(TABLE, rope=0.1, robust=True, rng=0),
        podium.bayes.bradley_terry(TABLE, rng=0),
        posterior,
        podium.bayes.decide(posterior),
        podium.bayes.rope_auto(folds),
    ]


def cases():
    right = {EVIL: [1] * 20 + [0] * 10, "b": [0] * 12 + [1] * 14 + [0] * 4, "c": [1, 0, 0] * 10}
    passed = np.array([[[1, 0, 1], [1, 1, 1]], [[0, 0, 1], [0, 0, 0]]] * 4, dtype=float)
    metric = podium.Metric(name="pass_rate", direction="higher")
    places = {"cases": tuple("12345678"), "algorithms": (EVIL, "b"), "metric": metric}
    sampled = podium.Cases(values=passed.mean(axis=2), samples=passed, benchmarks=tuple("uuuuvvvv"), **places)
    return [
        podium.cases.mcnemar(TRUTH, TRUTH, 1 - TRUTH),
        podium.cases.agreement(right),
        podium.cases.all_pairs(right),
        podium.cases.rank_confidence_sets(right),
        podium.cases.gate({name: right[name] for name in (EVIL, "b")}, margin=0.05),
        podium.cases.sample_summary(sampled),
        podium.cases.by_benchmark(sampled, EVIL, "b"),
        podium.compare(right, unit="case", rope=0.1).other_tests[0],
    ]


def ordering():
    folds, costs = scores()
    return [
        podium.ordering.multitest(folds, costs, dataset="p"),
        podium.ordering.multi2test(folds, costs),
        podium.comparison.what_if(folds, {"first": costs, "second": costs}),
    ]


def chance():
    return [
        podium.chance.critical_value("auc", positives=5, negatives=5, competitors=3),
        podium.chance.pvalue("auc", 0.8, positives=5, negatives=5),
        podium.chance.critical_table("auc", positives=(5,), negatives=(5,), competitors=(3,)),
        podium.chance.chance_test(TRUTH, GUESSES),
        label_luck(TRUTH == 1, {EVIL: TRUTH == 1}, lambda hits, called: hits / 20, name="recall", alpha=0.05),
        podium.chance.null_curve("auc", positives=5, negatives=5),
        podium.chance.critical_mean("tp10", positives=[20, 30], negatives=[40, 50]),
    ]


def planning():
    return [
        podium.planning.plan_cases("auc", 0.8),
        podium.planning.plan_competitors("auc", positives=10, negatives=10, competitors=(1, 10)),
        podium.planning.plan(difference=0.08, agreement=0.8),
        podium.planning.may_stop({EVIL: [1] * 9, "b": [0] * 9}),
        podium.planning.runs_needed({EVIL: [[1.0, 2.0], [1.4, 2.5]], "b": [[0.5, 1.0], [0.9, 1.3]]}, 0.2),
        podium.planning.datasets_needed(effect=1.0, draws=50),
        podium.planning.power(tests=["sign"], effects=[1.0], sizes=[8], draws=50),
    ]


def studies():
    return [
        podium.studies.pool_dependence(TABLE),
        podium.studies.replicability(TABLE, a=EVIL, b="b", tests=["sign"], size=5, biases=(0,), draws=20),
        podium.studies.calibrate(["sign"], shapes=("normal",), sizes=(6,), draws=20),
    ]


def comparison():
    compared = podium.compare(TABLE, direction="higher", rows="datasets")
    costly = podium.compare(TABLE, direction="higher", rows="datasets", cost={EVIL: 1, "b": 2, "c": 3})
    return [compared.paper_table(), *costly.trade_offs, compared]
