"""Forman and Cohen (2005), "Beware the Null Hypothesis", exactly: numbers of the text, nine tables, charts, planning.

Writes docs/papers/forman2005.md with its figures and prints it; writes the list of all cells that are off,
docs/methods/chance_erratum.md.
"""

import csv
import sys
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pandas as pd
from side_by_side import PAPERS, Page

import podium

INTRO = """
If you try many classifiers and show the best of them, you will see a good score even if none of them has learned anything. The
paper asks what the best of C *random* rankings of a test set reaches, and prints tables of critical values: at most 1% of
competitions among C coin tossers have a winner above them. The authors simulated ten million rankings per cell, on over a hundred CPUs;
Podium computes the same values [exactly](../methods/chance.md), in seconds.
"""
SHOWN = (20, 50, 100, 200, 400, 700, 1000)  # of the 19 sizes of the printed tables
ERRATUM = Path(__file__).parent.parent / "docs" / "methods" / "chance_erratum.md"
WORDS = {"best_accuracy": "Best accuracy", "auc": "AUC", "best_f1": "Best F-measure"}
HALF = Fraction(5, 10_000)  # half of the last printed digit


def printed_tables():
    """{(metric, competitors): {(positives, negatives): printed value}}, appendix B in its order."""
    tables = {}
    text = files("podium").joinpath("data/forman2005/critical_values_alpha01.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        cells = tables.setdefault((row["metric"], int(row["competitors"])), {})
        cells[int(row["positives"]), int(row["negatives"])] = row["critical_value"]
    return tables


def compare():
    """[(metric, competitors, cells, cells that are off)], a cell being (P, N, printed, exact fraction)."""
    found = []
    for (metric, competitors), cells in printed_tables().items():
        off = []
        for (P, N), printed in cells.items():
            exact = podium.chance.critical_value(
                metric, positives=P, negatives=N, competitors=competitors, alpha=0.01
            ).fraction
            if abs(exact - Fraction(printed)) > HALF:
                off.append((P, N, printed, exact))
        found.append((metric, competitors, len(cells), off))
    return found


def erratum(found):
    """The page of the documentation, as Markdown."""
    lines = [
        "# An exact erratum of the printed critical values",
        "",
        "<!-- Made by examples/forman2005.py; a test compares. -->",
        "",
        "Forman and Cohen (2005) simulated their tables (appendix B) with ten million random rankings per cell. Podium",
        "computes the same critical values exactly. This page lists every printed cell that is not the exact value",
        "rounded to three decimals (a half may be rounded either way). The differences are of the size that such a",
        "simulation must show: larger for more competitors, whose critical values lie further out in the tail. Only one",
        "looks like a misprint: best F-measure, 100 competitors, 70 positives and 700 negatives.",
        "",
        "In the text, the sum for the true positives in the top n (section 3) must start at i = 0, and the level at",
        "which it is inverted must be (1 - alpha)^(1/C), not 1 - alpha, to serve C competitors.",
        "",
        "| table | metric | competitors | cells | agree | off | largest difference |",
        "| ---: | :--- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for number, (metric, competitors, cells, off) in enumerate(found, start=1):
        largest = max(abs(exact - Fraction(printed)) for _, _, printed, exact in off)
        lines.append(
            f"| {number} | {WORDS[metric]} | {competitors} | {cells} | {cells - len(off)} | {len(off)} "
            f"| {float(largest):.4f} |"
        )
    for number, (metric, competitors, _, off) in enumerate(found, start=1):
        lines += [
            "",
            f"## Table {number}: {WORDS[metric]}, {competitors} competitors",
            "",
            "| positives | negatives | printed | exact | as a fraction |",
            "| ---: | ---: | ---: | ---: | ---: |",
        ]
        lines += [f"| {P} | {N} | {printed[1:]} | {_decimals(exact)} | {exact} |" for P, N, printed, exact in off]
    return "\n".join(lines) + "\n"


def _decimals(exact):
    return f"{float(exact):.6f}"[1:]


def critical(metric, positives, negatives, competitors):
    return podium.chance.critical_value(
        metric, positives=positives, negatives=negatives, competitors=competitors, alpha=0.01
    )


def of_the_text(page):
    page.head("Numbers of the text")
    page.numbers(
        [
            ("level of one competitor of ten, in percent (section 2)", "99.8995", 100 * 0.99 ** (1 / 10)),
            ("rankings to simulate for 100 competitors (section 3)", "9950416", 1000 / (1 - 0.99 ** (1 / 100))),
            (
                "best accuracy, 10 + 10 cases, 1000 competitors",
                "0.95",
                critical("best_accuracy", 10, 10, 1000).fraction,
            ),
            (
                "best accuracy, 100 + 100 cases, 100 competitors",
                "0.65",
                critical("best_accuracy", 100, 100, 100).fraction,
            ),
        ],
    )
    auc, accuracy = critical("auc", 100, 300, 1000), critical("best_accuracy", 100, 100, 1000)
    page.text(
        'Two are given roughly. The AUC of 100 positives and 300 negatives with 1000 competitors is "about 0.65", read from a chart: '
        f'exactly {float(auc.fraction):.4f}. The best accuracy of 100 and 100 with 1000 competitors is "67%": exactly '
        f"{float(100 * accuracy.fraction):.1f}%."
    )
    page.text(
        "KDD Cup 2001 had 150 positives, 484 negatives and 114 competitors. The winner had to exceed, at a level of 1%:"
    )
    rows = [
        (name, critical(metric, 150, 484, 114))
        for metric, name in (*WORDS.items(), ("tp10", "True positives in the top 10"))
    ]
    page.table(
        pd.DataFrame(
            [(name, f"{found.critical_value:.4g}", found.exact, f"{found.p_above:.2g}") for name, found in rows],
            columns=["metric", "critical value", "exactly", "chance that one random ranking exceeds it"],
        )
    )


def appendix(page, found):
    page.head("Appendix B: the nine tables")
    page.text(
        "Each table has 19 x 19 cells. A simulated value may be off by a few units of its third digit, more so for "
        "1000 competitors, whose critical values lie further out in the tail. The [erratum](../methods/chance_erratum.md) lists "
        "every cell that is not the exact value rounded; one of them is a misprint."
    )
    rows = []
    for number, (metric, competitors, cells, off) in enumerate(found, start=1):
        gaps = [abs(exact - Fraction(printed)) for *_, printed, exact in off]
        near = sum(gap < Fraction(1, 1000) for gap in gaps)
        title = f"{WORDS[metric]}, {competitors} competitors"
        rows.append((number, title, cells - len(off), near, len(off) - near, f"{float(max(gaps)):.4f}"))
    columns = [
        "table",
        "",
        "equal to the printed digits",
        "within one unit of the last digit",
        "further off",
        "largest difference",
    ]
    page.table(pd.DataFrame(rows, columns=columns))
    page.text(
        "Below are seven of the 19 sizes of each table, exact values rounded to three digits; where the printed one is another, it "
        "stands in brackets. Rows are positives, columns negatives. `podium chance table` prints any other size."
    )
    for number, ((metric, competitors), cells) in enumerate(printed_tables().items(), start=1):
        page.text(f"Table {number}: {WORDS[metric]}, {competitors} competitors.")
        page.table(excerpt(metric, competitors, cells))


def excerpt(metric, competitors, printed):
    """Rows of positives, columns of negatives: the exact value, and the printed one where it is off."""
    rows = []
    for P in SHOWN:
        exact = [critical(metric, P, N, competitors).fraction for N in SHOWN]
        rows.append([f"**{P}**", *(beside(value, printed[P, N]) for N, value in zip(SHOWN, exact, strict=True))])
    return pd.DataFrame(rows, columns=["", *map(str, SHOWN)])


def beside(exact, printed):
    """The exact value; with the printed one if that is not it, rounded (a half may be rounded either way)."""
    return printed[1:] if abs(exact - Fraction(printed)) <= HALF else f"{float(exact):.3f}"[1:] + f" ({printed[1:]})"


def charts(page):
    page.head("The charts")
    page.text("Figure 1: the share of random rankings with at most such a score, 10 positives and 1000 negatives.")
    curves = [podium.chance.null_curve(metric, positives=10, negatives=1000) for metric in WORDS]
    words = "Distribution functions of best accuracy, AUC and best F-measure"
    page.picture("forman2005_figure_1.svg", podium.plot.chance_cdfs(curves, level=0.99), words)
    page.text("Figures 2 to 5: critical values for 1000 competitors, as surfaces.")
    metrics = {"auc": "AUC", "best_accuracy": "best accuracy", "best_f1": "best F-measure", "tp10": "TP10"}
    for number, (metric, name) in enumerate(metrics.items(), start=2):
        surface = podium.plot.chance_surface(podium.chance.critical_table(metric, competitors=(1000,)))
        page.picture(f"forman2005_figure_{number}.svg", surface, f"The surface of critical values of {name}")
    page.text(
        "Appendix A: the same for 10, 100 and 1000 competitors, as isolines. Those of 10 are figure 6 of the paper, those of 1000 figure 7."
    )
    for metric, name in metrics.items():
        for competitors in (10, 100, 1000):
            isolines = podium.plot.chance_contours(podium.chance.critical_table(metric, competitors=(competitors,)))
            words = f"Isolines of the critical values of {name}, {competitors} competitors"
            page.picture(f"forman2005_appendix_a_{metric}_{competitors}.svg", isolines, words)


def planning(page):
    page.head("Section 5: planning a test set")
    page.text(
        "The lower the critical value, the easier it is to tell a good classifier from chance. The paper advises accuracy where there are as "
        "many positives as negatives, AUC for most other class balances, the F-measure where positives are few. Critical values of 400 cases "
        "and 100 competitors, exactly:"
    )
    mixes = (20, 40, 80, 120, 200, 280, 360)
    rows = [
        [WORDS[metric], *(f"{critical(metric, P, 400 - P, 100).critical_value:.3f}" for P in mixes)] for metric in WORDS
    ]
    page.table(pd.DataFrame(rows, columns=["positives", *map(str, mixes)]))
    page.text(
        "It also advises leaving out most positives if true positives in the top ten are counted. With 1000 negatives and 1000 "
        "competitors:"
    )
    rows = [(P, critical("tp10", P, 1000, 1000)) for P in (1000, 300, 100, 30, 10)]
    page.table(
        pd.DataFrame(
            [
                (
                    P,
                    "no score is enough: ten of ten may be due to chance"
                    if found.fraction >= 10
                    else f"more than {found.exact}",
                )
                for P, found in rows
            ],
            columns=["positives", "what the best must have in its top ten"],
        )
    )
    left = podium.planning.plan_class_balance(
        positives=1000, negatives=1000, leave_out="positives", metrics=["tp10"], competitors=1000, auc=0.8, rng=0
    )
    page.text(f"How many positives should be left out, if their AUC is 0.8? {left.summary()}")
    mean = podium.chance.critical_mean("auc", positives=[50] * 10, negatives=[150] * 10, competitors=100)
    one = critical("auc", 50, 150, 100)
    page.text(
        "Means over several test sets have lower critical values, which the paper leaves to separate calculations. "
        f"{mean.summary()} On one of these test sets it is {one.critical_value:.4f}."
    )
    cases = podium.planning.plan_cases("auc", 0.65, share=0.25, competitors=1000, alpha=0.01)
    page.text(f"How many cases are enough? {cases.summary()}")
    many = podium.planning.plan_competitors("auc", positives=100, negatives=300, alpha=0.01, score=0.65)
    page.text(f"How many competitors are too many? {many.summary()}")
    page.picture("forman2005_competitors.svg", podium.plot.chance_competitors(many), "Critical AUC by competitors")
    page.text(
        "The same from the command line, for a competition of your own: [is our winner better than chance?](../howto/competition.md)"
    )


def main(folder=PAPERS, found=None):
    page = Page("forman2005", "Forman and Cohen (2005): the best of many random rankings", INTRO, folder)
    of_the_text(page)
    appendix(page, compare() if found is None else found)
    charts(page)
    planning(page)
    page.write(counted=False)
    return page


if __name__ == "__main__":
    compared = compare()
    sys.stdout.write("\n\n".join(main(found=compared).parts) + "\n")
    ERRATUM.write_text(erratum(compared), encoding="utf-8")
