"""Fuzzed against its own description: no answer is a server error, every answer is of a kind that is described."""

import os

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from web.serving import PATIENCE

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
FEW = settings(
    max_examples=int(os.environ.get("PODIUM_FUZZ_EXAMPLES", "6")),
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def operations(client):
    schema = schemathesis.openapi.from_dict(client.get("/api/openapi.json").json())
    return [found.ok() for found in schema.get_all_operations()]


@pytest.fixture(scope="module")
def places(client, table):
    """A table and a comparison that are there, so that requests get past the address."""
    made = client.post(f"/api/tables/{table}/comparisons", json={}).headers["location"]
    return {"table": table, "comparison": made.rpartition("/")[2], "form": "json"}


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["as described", "otherwise"])
def test_no_request_makes_a_server_error(address, operations, places, mode):
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
            case.validate_response(case.call(base_url=address, timeout=PATIENCE), checks=CHECKS)

        ask()
