"""Fuzzed against its own description: no answer is a server error, every answer is of a kind that is described."""

import os

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from podium.web.settings import Limits
from waiting import PATIENCE, eventually
from web.load import upload
from web.serving import serving

LONGEST = 10_000  # characters of a query, of which up to six times as many are sent
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
FEW = settings(
    max_examples=int(os.environ.get("PODIUM_FUZZ_EXAMPLES", "3")),
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def own_client():
    """A server that stops early what is too much: being stopped with a sentence is an answer, too."""
    with (
        serving(limits=Limits(seconds=10, wait_seconds=PATIENCE)) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def operations(own_client):
    schema = schemathesis.openapi.from_dict(own_client.get("/api/openapi.json").json())
    return [found.ok() for found in schema.get_all_operations()]


@pytest.fixture(scope="module")
def places(own_client):
    """A table and a comparison that are there, so that requests get past the address."""
    content = b"dataset,svm,knn\niris,0.9,0.8\nzoo,0.7,0.6\nwine,0.8,0.85\n"
    eventually(lambda: upload(own_client, "accuracy.csv", content).status_code == 201)
    table = upload(own_client, "accuracy.csv", content).json()["table"]
    path = f"/api/tables/{table}/comparisons"
    eventually(lambda: own_client.post(path, json={}).status_code == 201)
    made = own_client.post(path, json={}).headers["location"]
    return {"table": table, "comparison": made.rpartition("/")[2], "form": "json"}


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["as described", "otherwise"])
def test_no_request_makes_a_server_error(own_client, operations, places, mode):
    assert len(operations) >= 12
    for operation in operations:
        path = {name: places[name] for name in places if f"{{{name}}}" in operation.path}
        if mode is GenerationMode.NEGATIVE and not (operation.query or operation.body):
            if not path:
                continue  # nothing in it that could be wrong
            path = {}

        @FEW
        @given(case=operation.as_strategy(generation_mode=mode, path_parameters=path or None))
        def ask(case):
            assume(len(str(case.query)) < LONGEST)  # the server reads no longer line to its end, and hangs up
            case.validate_response(case.call(base_url=str(own_client.base_url), timeout=PATIENCE), checks=CHECKS)

        ask()
