"""What a suite says, as frozen values: datasets, algorithms, protocol, limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from podium.bench.protocols import Protocol
from podium.bench.seeds import digest

__all__ = ["AlgorithmSpec", "DataSettings", "DatasetSpec", "Limits", "Suite"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one task may use: wall seconds, megabytes on top of an idle worker, threads."""

    seconds: float = 600.0
    memory_mb: int | None = 4096
    threads: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSettings:
    """What is done to every dataset; encoders are fitted on training parts only.

    `binary` joins the classes, sorted by name, alternately into two; `min_cases` drops smaller datasets.
    """

    binary: bool = False
    standardize: bool = True
    nominal: str = "onehot"
    min_cases: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetSpec:
    """Where one dataset comes from; `family` names the origin it shares with its variants."""

    name: str
    source: str
    options: Mapping[str, Any] = field(default_factory=dict)
    family: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AlgorithmSpec:
    """One algorithm: a learner of the catalogue or a class by import path, and what to search over.

    `search` maps hyperparameters to lists of values (None: the learner's own space); `free` is one
    hyperparameter whose values all come from a single training.
    """

    name: str
    learner: str | None = None
    path: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    search: Mapping[str, tuple[Any, ...]] | None = None
    free: tuple[str, tuple[Any, ...]] | None = None
    optional: bool = False

    def digest(self) -> str:
        """A hash of everything that changes the scores."""
        return digest(self.learner, self.path, dict(self.params), self.search, self.free)


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A whole benchmark: what runs on what, how it is split and scored, and within which limits.

    `paths` are folders with the user's own modules; `places` says where in its file each dataset and algorithm stands.
    """

    name: str
    datasets: tuple[DatasetSpec, ...]
    algorithms: tuple[AlgorithmSpec, ...]
    protocol: Protocol = field(default_factory=Protocol)
    data: DataSettings = field(default_factory=DataSettings)
    metrics: tuple[str, ...] = ("error",)
    limits: Limits = field(default_factory=Limits)
    seed: int = 1
    paths: tuple[str, ...] = ()
    dask: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    places: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for the store."""
        return asdict(self)

    @property
    def default_store(self) -> Path:
        """The store beside the suite: `suite.toml` -> `suite.db`; an embedded suite's lies in the current folder."""
        return Path(self.source).with_suffix(".db") if self.source else Path(f"{self.name}.db")
