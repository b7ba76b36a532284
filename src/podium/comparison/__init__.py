"""The guided path from a table to a comparison: facts, rules with their because, verdict.

Rules are data: the first that fits decides; the user may name any test instead.
Computes by calling stats, bayes and ordering; shows nothing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
