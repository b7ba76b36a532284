"""Settings that all tests share."""

import os

import matplotlib
import pytest
from hypothesis import HealthCheck, Phase, settings

matplotlib.use("Agg")

# No deadline: this is about truth, not about a noisy clock. In CI the examples are the same each time; elsewhere new ones
# are tried, and `make calibrate` explores many more.
# Only there a failing example is made smaller, which can take minutes: PODIUM_EXAMPLES=explore pytest FILE::TEST.
patient = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
as_found = tuple(phase for phase in Phase if phase not in (Phase.shrink, Phase.explain))
settings.register_profile("ci", max_examples=60, derandomize=True, phases=as_found, **patient)
settings.register_profile("here", max_examples=60, phases=as_found, **patient)
settings.register_profile("explore", max_examples=1000, **patient)
settings.load_profile(os.environ.get("PODIUM_EXAMPLES") or ("ci" if os.environ.get("CI") else "here"))

# Scripts that made recorded references need engines that are not installed here.
collect_ignore_glob = ["reference/*/make_*.py"]


# What takes longest begins first: with several processes, the last one to end decides.
FIRST = ("tests/test_docs.py", "tests/web/", "tests/bench/", "tests/report/")


def pytest_collection_modifyitems(items):
    """Put the slowest files first, and leave the others in their order."""
    items.sort(key=lambda item: next((i for i, name in enumerate(FIRST) if item.nodeid.startswith(name)), len(FIRST)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """With `--dist loadfile` a file stays in one process, and the room of the page as well: its tests share a server."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False  # by the number of tests, that is

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return "tests/web" if file.startswith("tests/web/") else file

    return ByFile(config, log)
