"""How many? Datasets, cases, samples, runs and positives for a difference that matters, and the power of what there is.

Simulated where no law is known; nothing here looks at who is better.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
