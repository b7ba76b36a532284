"""Tests that look only at two algorithms: over datasets, on the folds of one dataset, or on the cases of one test set.

Each file is one test: a `kernel` from differences (..., n) to what it says of each row, an `estimate` of the effect with
its interval, a `contrast` where it compares scores otherwise than by their difference, and the public function.
"""
