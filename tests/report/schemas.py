"""Whether the JSON of an output is as the schema of its kind says."""

from functools import cache

from jsonschema import Draft202012Validator

from podium.report.schema import json_schema


@cache
def schema_of(kind):
    schema = json_schema(kind, "bench")
    Draft202012Validator.check_schema(schema)
    return schema


def check_schema(data):
    """Every key is as the schema says, and the schema knows every key."""
    schema = schema_of(data["kind"])
    faults = [f"{error.json_path}: {error.message[:200]}" for error in Draft202012Validator(schema).iter_errors(data)]
    assert not faults, (data["kind"], faults[:5])
    assert set(data) <= set(schema["properties"]), data["kind"]
