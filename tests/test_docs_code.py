"""All Python code of the documentation passes a type checker, as that of somebody who copies it would."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(?:python|\{run\} python|\{draw\}|\{picture\})[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Names of a page may mean something else in its next block, and functions of an example need no types. Said in each file,
# so that mypy keeps what it knows of the package.
SETTINGS = "# mypy: allow-redefinition, allow-untyped-defs, ignore-missing-imports\n"
WISH = re.compile(r"^(?:expect|show|exit): .*\n", re.MULTILINE)


def code_of(page):
    """The blocks of a page, one below the other: names live on from block to block."""
    return "\n".join(WISH.sub("", block) for block in BLOCK.findall(page.read_text(encoding="utf-8")))


def checked(folder):
    """What mypy says of the modules in a folder, and nothing where it is content."""
    ran = subprocess.run([sys.executable, "-m", "mypy", str(folder)], capture_output=True, text=True, cwd=ROOT)
    return [line for line in (ran.stdout + ran.stderr).splitlines() if ": error: " in line]


def test_all_code_of_the_pages_passes_mypy(tmp_path):
    pages = [ROOT / "README.md", *(path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts)]
    for page in pages:
        name = re.sub(r"\W+", "_", str(page.relative_to(ROOT)))
        (tmp_path / f"{name}.py").write_text(SETTINGS + code_of(page), encoding="utf-8")
    (tmp_path / "planted.py").write_text("import podium\n\npodium.compare('x.csv', dataset_colum='task')\n")
    found = checked(tmp_path)
    assert [line for line in found if "planted.py" not in line] == []
    assert len(found) == 1  # the misspelt keyword
