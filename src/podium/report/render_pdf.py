"""The page as PDF, printed by a Chromium that is found on this machine; nothing is fetched."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from podium.core.errors import ArgumentError
from podium.core.files import write_atomically
from podium.report.document import Document
from podium.report.render_html import render_html

# Programs that print pages, and where they are if not on the path.
BROWSERS = "chromium chromium-browser google-chrome google-chrome-stable chrome msedge microsoft-edge".split()
ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
PATIENCE = 180  # seconds
MISSING = (
    "A PDF is printed by Chromium or Chrome, and none was found: install one, or name it in the environment variable "
    "CHROMIUM. The page of `--html` can be printed by any browser."
)


def browser() -> str:
    """The browser that prints: the one that the environment names, or the first that is found."""
    named = os.environ.get("CHROMIUM")
    program = shutil.which(named) if named else None
    program = program or next(filter(None, map(shutil.which, BROWSERS)), None)
    program = program or next((place for place in ELSEWHERE if Path(place).is_file()), None)
    if program is None:
        raise ArgumentError(MISSING)
    return program


def write_pdf(path: Path, document: Document) -> Path:
    """Print the page of the document to a file."""
    program = browser()
    with tempfile.TemporaryDirectory(prefix="podium-", ignore_cleanup_errors=True) as folder:
        page, printed = Path(folder, "page.html"), Path(folder, "page.pdf")
        page.write_text(render_html(document), encoding="utf-8")
        command = [
            program,
            "--headless",
            "--disable-gpu",
            "--disable-background-networking",
            "--no-first-run",
            "--no-pdf-header-footer",
            f"--user-data-dir={folder}/profile",
            f"--print-to-pdf={printed}",
            *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),  # root has no sandbox
            page.as_uri(),
        ]
        try:
            ran = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ArgumentError(f"{program} did not print the page ({type(error).__name__}): try `--html`.") from None
        if ran.returncode or not printed.is_file():
            raise ArgumentError(f"{program} did not print the page (exit code {ran.returncode}): try `--html`.")
        write_atomically(path, printed.read_bytes())
    return path
