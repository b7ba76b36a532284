import subprocess
import sys

import podium


def test_the_package_runs_as_the_program():
    ran = subprocess.run([sys.executable, "-m", "podium", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == f"podium {podium.__version__}"


def test_a_closed_pipe_is_no_failure():
    """`podium show ... | head -1` with pipefail ends with 0."""
    script = f"set -o pipefail; {sys.executable} -m podium show benavoli2016 2>&1 | head -c 1 > /dev/null"
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_notes_spell_options_as_flags(tmp_path):
    (tmp_path / "long.csv").write_text(
        "algorithm,dataset,metric,value\n"
        + "".join(f"{a},d{i},{m},0.{i + 1}{a == 'x':d}\n" for a in "xy" for i in range(8) for m in ("accuracy", "auc"))
    )
    command = [sys.executable, "-m", "podium", "show", str(tmp_path / "long.csv")]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "`metric`" not in ran.stdout + ran.stderr
