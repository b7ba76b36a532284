"""GIFT-Eval: a folder per model with `all_results.csv`, one row per dataset, all metrics better when lower."""

from __future__ import annotations

from pathlib import Path

from podium.core.names import quoted
from podium.reading.logs.records import Log
from podium.reading.logs.tables import csv_rows, header_of

_METRIC = "eval_metrics/"
HEADLINE = "MASE[0.5]"


def is_gift_eval(path: Path, head: bytes) -> bool:
    """Whether the first line has the datasets, the model and metrics of GIFT-Eval."""
    header = header_of(head)
    return {"dataset", "model"} <= set(header) and any(name.startswith(_METRIC) for name in header)


def read_gift_eval(files: list[Path], log: Log) -> None:
    """Every model on every dataset; the datasets are the units."""
    folders = [file.resolve().parent for file in files]
    by_folder = len(files) > 1 and len(set(folders)) == len(files) and len({f.name for f in folders}) == len(files)
    renamed = []
    log.beside |= {file.parent / "config.json" for file in files}
    for file, folder in zip(files, folders, strict=True):
        rows = [row for _, row in csv_rows(file, ("dataset", "model"))]
        models = {row["model"] for row in rows}
        own_folder = by_folder and len(models) == 1
        if own_folder and models != {folder.name}:
            renamed.append(folder.name)
        for row in rows:
            system = folder.name if own_folder else row["model"]
            traits = {name: row[name] for name in ("domain", "num_variates") if row.get(name)}
            traits["family"] = row["dataset"].split("/")[0]
            for column, value in row.items():
                if column.startswith(_METRIC):
                    metric = column.removeprefix(_METRIC)
                    about = {"file": file, "system": system, "unit": "dataset", "main": metric == HEADLINE}
                    stream = log.stream(metric=metric, direction="lower", **about)
                    stream.add(row["dataset"], value, traits=traits)
    log.matched_by("dataset")
    if renamed:
        log.note(f"Models are named for their folders; inside, {len(renamed)} have another name: {quoted(renamed)}.")
