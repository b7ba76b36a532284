"""The program as a user types it, called in this process: starting another one costs a second each time."""

import contextlib
import io
import sys
from types import SimpleNamespace

import pytest

from podium.cli.main import run


def podium(*words, cwd="."):
    """What the program answers: its exit code and what it printed."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with contextlib.ExitStack() as stack:
        for context in (contextlib.chdir(cwd), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)):
            stack.enter_context(context)
        stack.enter_context(pytest.MonkeyPatch.context()).setattr(sys, "argv", ["podium", *map(str, words)])
        try:
            run()
        except SystemExit as end:
            code = end.code or 0
    return SimpleNamespace(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())


def answered(*words):
    """The same as (exit code, stdout, stderr)."""
    found = podium(*words)
    return found.returncode, found.stdout, found.stderr
