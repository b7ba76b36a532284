"""Algorithms judged on the same test cases: pass or fail, grades, losses, or any metric of predictions.

Pairs, all pairs at once, clusters of cases, several samples of a case, sets of possible ranks.
What one row is worth: a case, never a dataset.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
