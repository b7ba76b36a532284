"""Frequentist tests: functions from arrays of scores to frozen results, one file per test.

Two algorithms are in pairwise, many in omnibus, the pairs of many in posthoc,
the null distributions in exact.
"""
