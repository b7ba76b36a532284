"""Which algorithm to use, given what it costs: MultiTest and Multi2Test.

A pairwise test and a prior order of costs give an order of all algorithms.
Costs come from a metric, a table, or one number per algorithm.
"""
