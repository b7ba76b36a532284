"""axe-core in Chromium: what would keep people from using a page. It is no part of the project."""

import os
from pathlib import Path

import pytest

_RUN = """
    const done = arguments[0];
    axe.run().then((found) => done(found.violations.map((one) => [one.impact, one.id, one.nodes[0].html])));
"""


def need_axe():
    """Skip the test unless AXE_CORE names axe-core's axe.min.js, as .ci/run does."""
    if not os.environ.get("AXE_CORE"):
        pytest.skip("AXE_CORE names no axe.min.js (npm install axe-core)")


def serious_problems(driver):
    """The serious and critical problems of the page that is open, all its folded parts unfolded."""
    driver.set_script_timeout(300)  # seconds: the machine may be busy, and pages have many figures
    driver.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
    driver.execute_script(Path(os.environ["AXE_CORE"]).read_text(encoding="utf-8"))
    return [one for one in driver.execute_async_script(_RUN) if one[0] in ("serious", "critical")]
