"""Where the modules of Unix do not exist, all rooms but bench load, and bench says so in a sentence."""

import subprocess
import sys
import textwrap

HIDING = """
    import importlib, pkgutil, sys

    UNIX = {"fcntl", "resource", "pwd", "grp", "termios"}

    class Hidden:
        def find_spec(self, name, path=None, target=None):
            if name in UNIX:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    sys.meta_path.insert(0, Hidden())
    for name in UNIX:
        sys.modules.pop(name, None)
"""


def _run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = textwrap.dedent(HIDING) + textwrap.dedent(code)
    return subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True)


def test_all_rooms_but_bench_load_without_the_modules_of_unix():
    found = _run("""
        import podium

        for module in pkgutil.walk_packages(podium.__path__, "podium."):
            if not module.name.startswith("podium.bench.") and module.name != "podium.__main__":
                importlib.import_module(module.name)
        try:
            podium.bench.results_from_store
        except podium.core.errors.PodiumError as error:
            print(error)
    """)
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith("Benchmarks run on Linux and macOS only: this system lacks fcntl.")


def test_the_command_says_it_in_one_sentence():
    found = _run("from podium.cli.main import run; run()", "run", "quick", "--store", "nowhere.db")
    assert found.returncode == 2
    assert "Benchmarks run on Linux and macOS only" in found.stderr
    assert "Traceback" not in found.stderr


def test_comparing_needs_none_of_them():
    found = _run("from podium.cli.main import run; run()", "compare", "benavoli2016")
    assert found.returncode == 0, found.stderr
