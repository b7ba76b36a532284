"""Wainer (2016), "Comparison of 14 different families of classification algorithms on 115 binary datasets": his procedure.

The errors of his 115 datasets are not printed in the paper. His procedure is applied to (a) the suite `wainer14` of the
package, his 14 families under his protocol on 16 datasets that need no download, and (b) the folds of Ulaş et al. (2008).

python examples/wainer2016.py            # from the scores in examples/data/wainer14.csv; writes docs/papers/wainer2016.md
python examples/wainer2016.py --run      # run the suite anew first (minutes; goes on where it stopped)
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
from side_by_side import PAPERS, Page

import podium

DATA = Path(__file__).parent / "data" / "wainer14.csv"
METRICS = ("error", "cv_error", "one_train_test_time", "per_hyperparameter_time")
INTRO = """
Wainer compared 14 families of algorithms on 115 binary datasets: each dataset is halved, hyperparameters are searched by
five-fold cross-validation within a half, the error is measured on the other half. He then asks whether differences are
significant (Demšar's procedure) and whether they matter: with a threshold of irrelevance taken from the data and a
Bayesian ANOVA. His paper tells its findings; the errors themselves are not printed, so that his *procedure* is what can be
repeated here, on two other sets of scores.
"""


def run_suite(suite="wainer14", path=DATA):
    """Run the suite (or go on with it) into a store beside, and keep what the page needs."""
    from podium.bench.results import results_from_store

    program = Path(sys.executable).parent / "podium"
    store = f"{suite}.db"
    subprocess.run([program, "run", suite, "--store", store], check=True)
    frame = results_from_store(store, metrics=METRICS).frame
    columns = ["dataset", "algorithm", "repeat", "fold", "metric", "value"]
    frame[columns].sort_values(columns[:5]).to_csv(path, index=False, float_format="%.6g")


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
    import pandas as pd

    page.text(
        "Mean dense ranks (equal where scores are equal after rounding), and how often each was (among) the best:"
    )
    page.table(pd.DataFrame(frame))
    return frame["algorithm"]


def significance(page, errors, best):
    """Demšar's procedure, as the paper follows it."""
    friedman, nemenyi = podium.stats.friedman(errors.table()), podium.stats.nemenyi(errors.table())
    frame = nemenyi.to_frame()
    apart = frame[frame["adjusted"] <= 0.05]
    among = apart[apart["a"].isin(best) & apart["b"].isin(best)]
    page.text(
        f"Friedman's test: p = {friedman.pvalue:.3g}. Nemenyi's test tells {len(apart)} of {len(frame)} pairs apart, "
        f"{len(among)} of them among the three best ({', '.join(best)})."
    )
    return len(among)


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
        listed = "; ".join(f"{a} and {b} {p:.2f}" for (a, b), p in zip(pairs_of(best), probabilities, strict=True))
        page.text(
            f"**{words[0].upper()}{words[1:]}.** {verdicts.summary()} Practically equivalent among the three best: {listed}."
        )
        if robust:
            page.text(f"The degrees of freedom are about {posterior.df:.1f}: the tails are {tails(posterior.df)}.")
        matrix = podium.plot.rope_matrix(posterior)
        page.picture(
            f"wainer2016_{name}_{'robust' if robust else 'normal'}.svg", matrix, f"Probabilities of all pairs, {words}"
        )
    return rope.rope, inside


def tails(df):
    return "very heavy" if df < 3 else "heavy" if df < 30 else "close to normal"


def pairs_of(names):
    return [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]


def times(page, results):
    """His two measures of time, ranked by subset (half of a dataset)."""
    first = {}
    for metric, words in (
        ("one_train_test_time", "training and testing once"),
        ("per_hyperparameter_time", "each combination of the search"),
    ):
        scores = results.scores(metric)
        halves = scores.values.transpose(0, 3, 1, 2).reshape(-1, len(scores.algorithms))
        ranks = podium.core.rank_rows(halves, higher_is_better=False).mean(axis=0)
        order = np.argsort(ranks)
        first[metric] = scores.algorithms[order[0]]
        shown = ", ".join(f"{scores.algorithms[i]} {ranks[i]:.1f}" for i in order)
        page.text(f"Mean ranks of the time of {words}: {shown}.")
    return first


def suite(page):
    page.head("The suite wainer14: 14 families on 16 datasets, his protocol")
    results = podium.read(DATA, direction={"error": "lower", "cv_error": "lower"})
    errors = results.scores("error")
    order = ranking(page, errors, decimals=3)
    best = order[:3]
    among = significance(page, errors, best)
    rope, inside = practice(page, errors, results.scores("cv_error"), "wainer14", best)
    page.head("Time, in the suite")
    fastest = times(page, results)
    page.head("His findings, and those of the suite")
    page.text(
        "Datasets, implementations and ranges of search differ (16 small datasets, half of them made by a generator that suits "
        "some algorithms; scikit-learn and Podium's own learners instead of R packages), so that other orders are no contradiction."
    )
    rows = [
        ("the three best", "rf, svm-rbf, gbm", ", ".join(best)),
        ("the three worst", "bst, nb, sda", ", ".join(order[-3:])),
        ("significant among the three best", "none of 3", f"{among or 'none'} of 3"),
        ("threshold of irrelevance (error)", "0.0112", f"{rope:.4f}"),
        (
            "the three best practically equivalent",
            "with high probability",
            f"at least {inside[False]:.2f} (robust {inside[True]:.2f})",
        ),
        ("fastest, training and testing", "svm-rbf", fastest["one_train_test_time"]),
        ("fastest, per combination of the search", "svm-rbf", fastest["per_hyperparameter_time"]),
    ]
    lines = ["| | his 115 datasets | these 16 |", "|---|---|---|", *(f"| {a} | {b} | {c} |" for a, b, c in rows)]
    page.text("\n".join(lines))


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
        "A few datasets on which some algorithms fail make normal errors wide and hide that the others agree; Student errors do "
        "not let them. That is why the paper gives both."
    )


def main(folder=PAPERS):
    page = Page("wainer2016", "Wainer (2016): do the differences matter?", INTRO, folder)
    suite(page)
    folds(page)
    page.write(counted=False)
    return page


if __name__ == "__main__":
    if "--run" in sys.argv[1:]:
        run_suite()
    sys.stdout.write("\n\n".join(main().parts) + "\n")
