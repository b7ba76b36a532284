"""Every command and every room has its page, and the README's example is true."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import podium

ROOT = Path(__file__).parents[1]
ROOMS = sorted(path.parent.name for path in Path(podium.__file__).parent.glob("*/__init__.py"))


def command_names():
    from typer.main import get_command

    from podium.cli.main import app

    return sorted(get_command(app).commands)


@pytest.mark.parametrize("name", command_names())
def test_every_command_has_a_page_that_shows_its_use(name):
    page = (ROOT / "docs" / "commands" / f"{name}.md").read_text(encoding="utf-8")
    assert f"podium {name}" in page


@pytest.mark.parametrize("name", ROOMS)
def test_every_room_has_a_page(name):
    assert (ROOT / "docs" / "rooms" / f"{name}.md").exists()


def test_the_readme_example_runs_and_prints_what_it_says(tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    code, output = re.search(r"```python\n(.*?)```.*?```text\n(.*?)```", readme, re.DOTALL).groups()
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert ran.stdout.split() == output.split()
