from ._replicability import ReplicabilityResult as ReplicabilityResult
from ._replicability import replicability as replicability
from .calibration import CalibrationResult as CalibrationResult
from .calibration import calibrate as calibrate
from .pool import PoolResult as PoolResult
from .pool import pool_dependence as pool_dependence
from .pool import weaker_variants as weaker_variants
from .verify import VerifyResult as VerifyResult
