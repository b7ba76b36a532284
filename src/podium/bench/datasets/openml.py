"""OpenML: data, tasks and suites by id or name, cached, so that a second run needs no network.

The cache is a folder of the server's own answers (JSON descriptions, ARFF data):
`$PODIUM_CACHE/openml`, by default `~/.cache/podium/openml`. Each file is written whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from podium.bench.datasets.arff import parse_arff
from podium.bench.datasets.model import Dataset, GivenSplit, from_frame
from podium.core.errors import DataError
from podium.core.files import replace_file

SERVER = "https://www.openml.org/api/v1/json"
_SECONDS = 60
_TRIES, _PAUSE = 3, 2.0
_UNKNOWN = (404, 412)  # how the server says that it has no such thing


def cache_folder() -> Path:
    """Where answers of the server are kept."""
    base = os.environ.get("PODIUM_CACHE")
    return (Path(base) if base else Path.home() / ".cache" / "podium") / "openml"


def load_openml(
    *,
    name: str,
    data: int | str = "",
    task: int | None = None,
    target: str | None = None,
    splits: bool = False,
    regression: bool = False,
) -> Dataset:
    """A dataset by its id or name, or the dataset and target of a task, with its splits where they are asked for."""
    if task is not None:
        data, target = _task_data(int(task), "Regression" if regression else "Classification")
    number = _data_id(data)
    description = _json(f"data/{number}", f"data_{number}.json")["data_set_description"]
    column = target or description.get("default_target_attribute")
    if not column:
        raise DataError(f"OpenML's {description['name']!r} names no class: give `target`.")
    frame = parse_arff(_data_text(description), f"OpenML data {description['id']}")
    ignored = description.get("ignore_attribute") or []
    ignored = {*([ignored] if isinstance(ignored, str) else ignored), description.get("row_id_attribute")} - {column}
    features = frame[[c for c in frame.columns if c not in ignored]]
    dataset = from_frame(name, features, column, family=f"openml-{description['name']}", regression=regression)
    return replace(dataset, given=_task_splits(int(task), dataset.cases)) if splits and task is not None else dataset


def _task_splits(task: int, cases: int) -> tuple[GivenSplit, ...]:
    """The splits that the server gives with a task: which row is trained or tested on, in each repeat and fold."""
    named = {entry.get("name"): entry for entry in _task(task)["input"]}
    address = named.get("estimation_procedure", {}).get("estimation_procedure", {}).get("data_splits_url")
    if not address:
        raise DataError(f"OpenML's task {task} has no splits: choose another `kind` than 'given'.")
    text = _cached(str(address), f"splits_{task}.arff").decode("utf-8")
    frame = parse_arff(text, f"OpenML's splits of task {task}")
    rows = frame["rowid"].to_numpy(dtype=np.intp)
    if len(rows) and (rows.min() < 0 or rows.max() >= cases):
        raise DataError(f"OpenML's splits of task {task} name row {rows.max()}, and its data have {cases} rows.")
    kind = frame["type"].astype(str).str.lower().to_numpy()
    splits = []
    by_split: dict[Any, Any] = frame.groupby(["repeat", "fold"]).indices
    for (repeat, fold), places in by_split.items():
        parts = {word: np.sort(rows[places[kind[places] == word]]) for word in ("train", "test")}
        splits.append(GivenSplit(repeat=int(repeat), fold=int(fold), **parts))
    return tuple(splits)


def suite_tasks(suite: int | str) -> list[int]:
    """The ids of the tasks of a suite, by its id or alias (such as 'OpenML-CC18')."""
    answer = _json(f"study/{urllib.parse.quote(str(suite))}", f"study_{suite}.json")
    tasks = answer["study"].get("tasks", {}).get("task_id", [])
    if not tasks:
        raise DataError(f"OpenML's suite {suite!r} has no tasks.")
    return [int(task) for task in tasks]


def _task(task: int) -> dict[str, Any]:
    answer: dict[str, Any] = _json(f"task/{task}", f"task_{task}.json")["task"]
    inputs = answer["input"]
    return {**answer, "input": inputs if isinstance(inputs, list) else [inputs]}


def _task_data(task: int, wanted: str) -> tuple[int, str]:
    answer = _task(task)
    if wanted not in str(answer.get("task_type", "")):
        kind = answer.get("task_type")
        raise DataError(f"OpenML's task {task} is a {kind!r}: this suite runs {wanted.lower()} only.")
    source = next(entry["data_set"] for entry in answer["input"] if entry.get("name") == "source_data")
    return int(source["data_set_id"]), str(source["target_feature"])


def _data_id(data: int | str) -> int:
    if isinstance(data, int) or str(data).isdigit():
        return int(data)
    query = f"data/list/data_name/{urllib.parse.quote(data)}/status/active"
    entries = _json(query, f"data_name_{data}.json")["data"]["dataset"]
    return min(int(entry["did"]) for entry in entries)  # the first upload of that name


def _data_text(description: dict[str, Any]) -> str:
    name = f"data_{description['id']}.arff"
    content = _cached(str(description["url"]), name)
    wanted = description.get("md5_checksum")
    if wanted and hashlib.md5(content, usedforsecurity=False).hexdigest() != wanted:
        (cache_folder() / name).unlink(missing_ok=True)
        raise DataError(f"OpenML data {description['id']} arrived damaged (its checksum differs): run again.")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:  # some of its oldest files
        return content.decode("latin-1")


def _json(query: str, file: str) -> dict[str, Any]:
    content = _cached(f"{SERVER}/{query}", file)
    try:
        answer: dict[str, Any] = json.loads(content)
    except json.JSONDecodeError:
        (cache_folder() / file).unlink(missing_ok=True)
        raise DataError(f"OpenML's answer to {query!r} is not JSON: try again later.") from None
    return answer


def _cached(address: str, file: str) -> bytes:
    """What the cache has, else what the server answers, which is then kept."""
    path = cache_folder() / urllib.parse.quote(file, safe="-_. ")
    if path.is_file():
        return path.read_bytes()
    if not address.startswith(("http://", "https://")):
        raise DataError(f"OpenML gave the address {address!r}, which cannot be fetched.")
    content = _fetch(address, file)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, content)
    return content


def _fetch(address: str, file: str) -> bytes:
    """What the server answers; a server that is busy or silent is asked again."""
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_PAUSE)
        try:
            with urllib.request.urlopen(address, timeout=_SECONDS) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as error:
            reason: object = f"it answers {error.code} {error.reason}"
            if error.code in _UNKNOWN:
                raise DataError(f"OpenML does not know {Path(file).stem!r}: check its id or name.") from None
        except OSError as error:  # URLError and TimeoutError are such
            reason = getattr(error, "reason", error)
    raise DataError(
        f"OpenML cannot be reached for {file!r} ({reason}) and {str(cache_folder())!r} does not have it: "
        "run once with a network, or copy the file there."
    )
