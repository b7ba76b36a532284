"""`podium serve` as a user types it."""

import re
import signal
import subprocess
import sys
import threading

import httpx
import pytest
from typer.testing import CliRunner

from podium.cli.main import app
from program import podium
from waiting import PATIENCE

COMMAND = [sys.executable, "-c", "from podium.cli.main import run; run()", "serve"]


class Served:
    """A running `podium serve`, ended as by Ctrl-C."""

    def __init__(self, *words):
        self.process = subprocess.Popen(
            [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        self.patience = threading.Timer(PATIENCE, self.process.kill)
        self.patience.start()
        line = self.process.stdout.readline()
        self.address = re.search(r"http://\S+", line)[0]

    def end(self):
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=PATIENCE)
        self.patience.cancel()
        return self.process.returncode, out, err


def test_it_listens_on_this_machine_and_ends_with_control_c():
    served = Served("--no-browser", "--workers", "1")
    try:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", served.address)
        assert "Which algorithms really differ?" in httpx.get(served.address, timeout=PATIENCE).text
        answer = httpx.get(f"{served.address}api/chance/value?positives=150&negatives=484", timeout=PATIENCE)
        assert answer.json()["metric"] == "auc"
    finally:
        code, _, err = served.end()
    assert (code, "Traceback" in err) in ((0, False), (130, False)), err


def test_others_need_the_printed_token():
    served = Served("--no-browser", "--workers", "1", "--host", "0.0.0.0")
    try:
        host, token = re.fullmatch(r"http://[^:]+:(\d+)/\?token=([\w-]{32})", served.address).groups()
        assert httpx.get(f"http://127.0.0.1:{host}/", timeout=PATIENCE).status_code == 401
        assert httpx.get(f"http://127.0.0.1:{host}/", params={"token": token}, timeout=PATIENCE).status_code == 303
    finally:
        served.end()


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["--host", "999.1.1.1"], "Cannot listen on 999.1.1.1"),
        (["--port", "99999"], "--port must be an integer from 0 to 65535; got 99999."),
        (["--workers", "0"], "--workers must be an integer from 1 to 64; got 0."),
        (["--seconds", "0"], "--seconds must be above 0; got 0.0."),
    ],
)
def test_wrong_words_are_refused_with_a_sentence(words, sentence):
    done = podium("serve", "--no-browser", *words)
    assert done.returncode == 2
    assert done.stderr.startswith(f"podium: {sentence}")
    assert done.stderr.count("\n") == 1


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = CliRunner().invoke(app, ["serve", "--no-browser"])
    assert str(done.exception) == "The local page needs the package 'uvicorn': pip install 'podium[web]'."
