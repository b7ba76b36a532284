"""Is the winner better than the best of C random classifiers? Exact null distributions.

Critical values and p-values of AUC, accuracy, F and others for random rankings.
Grids, planning, and simulation for any other metric.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
