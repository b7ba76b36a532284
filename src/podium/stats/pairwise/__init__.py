"""Tests that look only at two algorithms.

Over many datasets: wilcoxon, sign, paired_t; on one dataset with folds: corrected_t, cv52_f.
Each file is one test: its result, its public function, its private steps.
"""
