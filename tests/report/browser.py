"""Debian's Chromium without a window, through selenium."""

import os
import tempfile
from contextlib import contextmanager

from needs import need_program


@contextmanager
def chromium(*, width=1280, height=900, dark=False):
    """A browser of that size; it asks nothing of the network."""
    need_program("chromium", "chromedriver")
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = "/usr/bin/chromium"
    with tempfile.TemporaryDirectory(prefix="podium-", ignore_cleanup_errors=True) as profile:
        for flag in (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            f"--user-data-dir={profile}",
            f"--window-size={max(width, 500)},{height}",
        ):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        environment = {**os.environ, "SE_OFFLINE": "true", "SE_AVOID_STATS": "true"}
        driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver", env=environment))
        try:
            look(driver, width=width, height=height, dark=dark)
            yield driver
        finally:
            driver.quit()


def look(driver, *, width=1280, height=900, dark=False):
    """Look at pages through a window of that size, in light or dark."""
    window = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", window)
    features = [
        {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def complaints(driver):
    """What the console holds that is not mere information."""
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
