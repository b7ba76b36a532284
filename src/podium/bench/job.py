"""Job: everything a worker needs to know about one task. Outcome: what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from podium.bench.metrics import Predictions
from podium.bench.protocols import Protocol
from podium.bench.spec import AlgorithmSpec, DatasetSpec, DataSettings, Limits

__all__ = ["STATUSES", "Job", "Outcome"]

STATUSES = ("ok", "error", "timeout", "memout", "crash", "lost", "skipped")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One task: an algorithm on one repeat and fold of one dataset."""

    key: str
    dataset: DatasetSpec
    data_hash: str
    data: DataSettings
    algorithm: AlgorithmSpec
    protocol: Protocol
    repeat: int
    fold: int
    seed: int
    metrics: tuple[str, ...] = ("error",)
    limits: Limits = field(default_factory=Limits)
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """What came of one attempt at a task; `holes` says why a metric has no value although the task is ok."""

    status: str
    message: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    holes: Mapping[str, str] = field(default_factory=dict)
    predictions: Predictions | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    wall: float | None = None
    cpu: float | None = None
    peak_memory: int | None = None
    host: str = ""
    threads: int | None = None
    load: float | None = None
    calibration: float | None = None
