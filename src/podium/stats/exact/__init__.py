"""Exact null distributions: signed rank sums, Friedman rank sums, differences of rank sums.

Compiled kernels, cached; each has a brute-force oracle in the tests.
No test lives here: only laws of statistics under the null.
"""
