"""Bayesian models: is the difference of practical consequence?

Every result gives p_left, p_rope and p_right; deciding is a separate step.
No sampling where quadrature or independent draws are exact and faster.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
