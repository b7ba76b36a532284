"""Can the test itself be trusted? Replicability, dependence on the pool, calibration.

Equal seeds give equal numbers on any number of cores.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
