import subprocess
import sys

import podium


def test_the_package_runs_as_the_program():
    ran = subprocess.run([sys.executable, "-m", "podium", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == f"podium {podium.__version__}"
