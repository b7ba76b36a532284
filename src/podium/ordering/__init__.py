"""Which algorithm to use, given what it costs: MultiTest and Multi2Test.

A pairwise test and a prior order of costs give an order of all algorithms.
Costs come from a metric, a table, or one number per algorithm.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
