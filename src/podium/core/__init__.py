"""What every other module shares: metrics, numbers as text, ranks, pairs, results, options, errors, checks.

Reads no file but its own tables, computes no test and shows nothing.
Everything else may import it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
