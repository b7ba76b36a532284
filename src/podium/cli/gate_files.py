"""What `podium gate` and `podium plan` read: one algorithm per file or folder, or two algorithms in one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.core.errors import ArgumentError, DataError
from podium.core.files import real

if TYPE_CHECKING:
    from podium.cases.predictions import Predictions
    from podium.evidence.cases import Cases
    from podium.reading.options import ReadOptions


def read_pairs(
    baseline: str,
    candidate: str,
    *,
    results: str | None,
    positive: str | None,
    missing: str | None,
    reading: dict[str, Any],
) -> list[Cases | Predictions]:
    """Baseline and candidate, in this order, by every metric that was asked for."""
    from podium.reading.options import ReadOptions

    truth = reading["truth"]
    metrics, directions = reading["metric"], reading["direction"]
    asked = [metrics] if metrics is None or isinstance(metrics, str) else list(metrics) or [None]
    pairs: list[Cases | Predictions] = []
    for metric in asked:
        direction = directions.get(metric) if isinstance(directions, dict) else directions
        options = ReadOptions(**{**reading, "metric": metric, "direction": direction})
        if truth is not None:
            files = [baseline, candidate] if results is None else results
            both = _predictions(files, options, positive, missing)
            pairs.append(both if results is None else both.select(_both(baseline, candidate, both.algorithms, results)))
        elif results is None:
            pairs.append(_two_files(baseline, candidate, options))
        else:
            pairs.append(_named_in(results, baseline, candidate, options))
    return pairs


def read_pilot(files: list[str], *, positive: str | None, reading: dict[str, Any]) -> Cases | Predictions:
    """The outcomes or predictions of one file, or of two algorithms with a file each."""
    from podium.reading.options import ReadOptions
    from podium.reading.outcomes import read_outcomes

    options = ReadOptions(**reading)
    if len(files) > 2:
        raise ArgumentError("Give {from} once, or twice: a file for each of two algorithms.", options=["from"])
    if options.truth is not None:
        return _predictions(files if len(files) > 1 else files[0], options, positive, None)
    return read_outcomes(files[0], options) if len(files) == 1 else _two_files(files[0], files[1], options)


def _named_in(results: str, baseline: str, candidate: str, options: ReadOptions) -> Cases:
    from podium.reading.outcomes import read_outcomes

    cases = read_outcomes(results, options)
    names = _both(baseline, candidate, cases.algorithms, results)
    return cases.select(names) if baseline != candidate else cases


def _both(baseline: str, candidate: str, algorithms: tuple[str, ...], results: str) -> tuple[str, str]:
    """Two names of algorithms that the file has."""
    from podium.core import check

    for name in (baseline, candidate):
        if name not in algorithms and Path(name).exists():
            raise DataError(
                f"{name!r} is a file; with {{results}} name two algorithms of {Path(results).name}: {check.listed(algorithms)}."
            )
        check.member("algorithm", name, algorithms)
    return baseline, candidate


def _two_files(baseline: str, candidate: str, options: ReadOptions) -> Cases:
    from podium.evidence.case_join import side_by_side

    if real(baseline) == real(candidate):
        raise ArgumentError(f"Both files are the same, {baseline}: give two.")
    one, other = _one_algorithm(baseline, options), _one_algorithm(candidate, options)
    names = one.algorithms[0], other.algorithms[0]
    if names[0] == names[1]:
        names = baseline, candidate
    return side_by_side(one, other, names=names)


def _one_algorithm(file: str, options: ReadOptions) -> Cases:
    from podium.core import check
    from podium.reading.outcomes import read_outcomes

    if not Path(file).exists():
        raise DataError(
            f"There is no file {file!r}: check the path, or say by {{results}} which file holds the algorithm of that name."
        )
    cases = read_outcomes(file, options, single=Path(file).stem)
    if cases.n_algorithms != 1:
        raise DataError(
            f"{Path(file).name} holds {cases.n_algorithms} algorithms ({check.listed(cases.algorithms)}): give files of one algorithm each, or "
            f"two of these names and {{results}} {Path(file).name}."
        )
    return cases


def _predictions(
    files: str | list[str], options: ReadOptions, positive: str | None, missing: str | None
) -> Predictions:
    from podium.cases.predictions import predictions_of
    from podium.reading.predictions import prediction_table

    return predictions_of(prediction_table(files, options), positive=positive, missing=missing)
