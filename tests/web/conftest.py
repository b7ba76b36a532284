"""One server for all tests of the room that do not need one of their own."""

import httpx
import pytest

from podium.web.settings import Limits
from waiting import PATIENCE
from web.load import TABLE, upload
from web.serving import serving


@pytest.fixture(scope="session")
def address():
    with serving(workers=2, warm_up=True, limits=Limits(seconds=240, wait_seconds=PATIENCE)) as address:
        yield address


@pytest.fixture(scope="session")
def client(address):
    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        yield client


@pytest.fixture(scope="session")
def table(client):
    """The id of the 54 x 7 table."""
    answer = upload(client, "accuracies.csv", TABLE.read_bytes())
    assert answer.status_code == 201, answer.text
    return answer.json()["table"]
