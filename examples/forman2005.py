"""Forman and Cohen (2005), "Beware the Null Hypothesis", exactly: the KDD Cup example, the nine tables, the erratum.

python examples/forman2005.py            # print the example and how the printed tables compare
python examples/forman2005.py --write    # also write docs/methods/chance_erratum.md
"""

import csv
import sys
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import podium

PAGE = Path(__file__).parent.parent / "docs" / "methods" / "chance_erratum.md"
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
        "<!-- Made by examples/forman2005.py --write; a test compares. -->",
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


def main():
    sizes = {"positives": 150, "negatives": 484, "competitors": 114, "alpha": 0.01}
    print("KDD Cup 2001: 150 positives, 484 negatives, 114 competitors, alpha = 1 %")
    for metric in ("best_accuracy", "auc", "best_f1", "tp10"):
        found = podium.chance.critical_value(metric, **sizes)
        print(f"  {metric:14} {found.critical_value:.5f}  = {found.exact:12} P(S > m*) = {found.p_above:.3g}")
    print("Appendix B: printed cells that are the exact value, rounded")
    compared = compare()
    for metric, competitors, cells, off in compared:
        print(f"  {metric:14} C = {competitors:4}: {cells - len(off)} of {cells}")
    if "--write" in sys.argv[1:]:
        PAGE.write_text(erratum(compared), encoding="utf-8")
        print(f"Wrote {PAGE.name}.")


if __name__ == "__main__":
    main()
