"""Tests that need a program skip with a sentence where it is missing, and fail where everything is required."""

import os
import shutil

import pytest


def need_program(*names: str) -> None:
    """Skip the test unless all programs are there; with PODIUM_REQUIRE_ALL set, fail instead."""
    missing = [name for name in names if shutil.which(name) is None]
    if not missing:
        return
    sentence = f"needs {', '.join(missing)} (on Debian: see .ci/run)"
    if os.environ.get("PODIUM_REQUIRE_ALL"):
        pytest.fail(f"{sentence}, and PODIUM_REQUIRE_ALL is set")
    pytest.skip(sentence)
