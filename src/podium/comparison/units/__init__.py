"""What one row of evidence can stand for, a file each: dataset, fold, case, run.

Each class says the evidence, facts, pairs, standing, words and extras of a comparison over its unit (`comparison/unit.py`).
Computes by calling stats, bayes, cases and runs; shows nothing.
"""
