"""Settings that all tests share."""

import matplotlib
from hypothesis import HealthCheck, settings

matplotlib.use("Agg")

# The same examples on every machine, and no deadline: this is about truth, not about a noisy clock.
settings.register_profile(
    "podium", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("podium")

# Scripts that made recorded references need engines that are not installed here.
collect_ignore_glob = ["reference/*/make_*.py"]
