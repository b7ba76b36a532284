"""Frequentist tests: functions from arrays of scores to frozen results, one file per test.

Two algorithms are in pairwise, many in omnibus, the pairs of many in posthoc,
the null distributions in exact.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
