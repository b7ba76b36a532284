from ._replicability import replicability as replicability
from .calibration import calibrate as calibrate
from .calibration import coverage as coverage
from .pool import pool_dependence as pool_dependence
from .pool import weaker_variants as weaker_variants
