"""What an error is about: the options that it names and its fields, however the sentence is worded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


@contextmanager
def refuses(kind: type[Exception], /, *options: str, **fields: Any) -> Iterator[pytest.ExceptionInfo[Any]]:
    """Within it an error of this kind is raised that names these options and has these fields."""
    with pytest.raises(kind) as caught:
        yield caught
    error = caught.value
    named = {error.fields.get("argument"), *error.options}
    assert set(options) <= named, f"{error} names {named}"
    assert {name: error.fields.get(name) for name in fields} == fields
