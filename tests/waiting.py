"""Waiting for something that will come: as long as a slow and busy machine may take, and no longer than needed."""

import time

PATIENCE = 600  # seconds; nothing waits for so long on others


def eventually(condition, pause=0.05):
    """Ask until it is so."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(pause)
