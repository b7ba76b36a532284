"""The progress bar of long work: in a terminal only, and only after a while."""

import pytest

from podium.cli import progress


@pytest.mark.parametrize("terminal, patience, shown", [(True, -1.0, True), (True, 60.0, False), (False, -1.0, False)])
def test_a_bar_is_shown_in_a_terminal_to_whoever_waits(terminal, patience, shown, monkeypatch, capsys):
    monkeypatch.setenv("TTY_COMPATIBLE", str(int(terminal)))
    monkeypatch.setattr(progress, "PATIENCE", patience)
    with progress.progress_bar("hard work") as report:
        report(1, 2)
        report(2, 2)
    assert ("hard work" in capsys.readouterr().err) == shown
