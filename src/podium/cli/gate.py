"""`podium gate BASELINE CANDIDATE --margin 0.02`: a gate for continuous integration, with an exit code per answer."""

from __future__ import annotations

import os
import secrets
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.gate_files import read_pairs
from podium.cli.safe import safe, tell
from podium.cli.showing import with_options
from podium.core.errors import ArgumentError, PodiumError
from podium.core.options import OUTPUT, READING, TEST_CASES, changed

if TYPE_CHECKING:
    from podium.cases.gate_result import GateResult
    from podium.report.document import Document

ERROR = 2
_MISSING = changed(
    "missing",
    choices=("pairwise", "wrong", "refuse"),
    help="How missing outcomes are handled: only the cases that both have, as wrong, or not at all.",
)
_OPTIONS = (
    "margin", "results", "alpha", _MISSING, "anytime", "bound", "largest_cluster", "aa_test",
    "per_benchmark", "mean", "draws", "rng", "inconclusive", "junit", "github", "positive",
)  # fmt: skip
_READING = (*READING, *TEST_CASES)
_ASKED = ("alpha", "missing", "anytime", "bound", "largest_cluster", "aa_test", "per_benchmark", "mean", "draws", "rng")


@with_options(*_OPTIONS, *_READING, *OUTPUT, draws=1000)
def gate(
    baseline: Annotated[str, typer.Argument(metavar="BASELINE", help="Outcomes of the algorithm in use.")],
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="Outcomes of the one that may replace it.")],
    **options: Any,
) -> None:
    """Is the candidate not worse than the baseline by more than a margin?

    Exit codes: 0 not worse, 1 worse, 3 cannot tell, 2 error.
    """
    try:
        code = _answered(baseline, candidate, options)
    except (PodiumError, KeyboardInterrupt, typer.Exit):
        raise
    except Exception:
        # Whatever it is, it must not look like the answer "worse", which has Python's exit code of a crash.
        traceback.print_exc()
        raise typer.Exit(ERROR) from None
    raise typer.Exit(code)


def _answered(baseline: str, candidate: str, options: dict[str, Any]) -> int:
    """Read, compute, show; the exit code."""
    from podium.cases._gate import gate as gate_outcomes
    from podium.core.files import write_atomically
    from podium.report.documents import document
    from podium.report.gate import junit_xml

    output = {name: options[name] for name in OUTPUT}
    margin = typed_margin(options["margin"])
    pairs = read_pairs(
        baseline,
        candidate,
        **{name: options[name] for name in ("results", "positive", "missing")},
        reading={name: options[name] for name in _READING},
    )
    tell(dict.fromkeys(note for pair in pairs for note in pair.notes))
    names = (None, None) if options["results"] is None else (baseline, candidate)
    asked = {name: options[name] for name in _ASKED}
    result = gate_outcomes(pairs, margin=margin, baseline=names[0], candidate=names[1], **asked)
    code = exit_code(result, options["inconclusive"])
    report = document(result, drawn=any(output[form] for form in ("html", "latex", "figures")))
    if options["junit"] is not None:
        typer.echo(safe(f"Wrote {write_atomically(options['junit'], junit_xml(result, code))}"), err=True)
    _shown(result, report, code, output, github=options["github"])
    return code


def exit_code(result: GateResult, inconclusive: str) -> int:
    """The exit code of the answer; an open one may be made to pass or to fail."""
    if result.answer != "cannot tell":
        return result.exit_code
    return {"own": result.exit_code, "pass": 0, "fail": 1}[inconclusive]


def typed_margin(texts: list[str] | None) -> float | dict[str, float]:
    """The margin as it was typed: 0.02, or METRIC=0.02 for each of several.

    >>> typed_margin(["0.02"]), typed_margin(["accuracy=0.02", "latency=0.5"])
    (0.02, {'accuracy': 0.02, 'latency': 0.5})
    """
    if not texts:
        raise ArgumentError("Give {margin}, the drop that would not matter: 0.02 for 2 percentage points.")
    pairs = [text.rpartition("=") for text in texts]
    if len(texts) == 1 and not pairs[0][1]:
        return _number(texts[0])
    if not all(equals and name for name, equals, _ in pairs):
        raise ArgumentError("Give one {margin} for all metrics, or METRIC=DROP for each.")
    return {name: _number(text) for name, _, text in pairs}


def _number(text: str) -> float:
    from podium.core.check import refused

    try:
        return float(text)
    except ValueError:
        bare = text.strip().removesuffix("%").replace(",", ".")
        is_percent = text.strip().endswith("%") and bare.replace(".", "", 1).isdigit()
        hint = f": write {float(bare) / 100}." if is_percent else "."
        raise refused("margin", text, "must be a number such as 0.02, in the units of the metric", hint) from None


def _shown(result: GateResult, report: Document, code: int, output: dict[str, Any], *, github: bool) -> None:
    """The report where the options say, and what GitHub shows."""
    from podium.report.gate import annotation, step_summary
    from podium.report.output import show

    try:
        if not github:
            show(report, **output)
            return
        # What a program asked for on standard output must stay clean; GitHub reads both streams.
        stream = sys.stderr if any(str(target) == "-" for target in output.values()) else sys.stdout
        stream.write(f"{annotation(result, code)}\n")
        _append_summary(step_summary(report))
        with _no_commands(stream):
            show(report, **output)
    except BrokenPipeError:  # nobody reads on; the answer still counts
        sys.stderr.close()
        os._exit(code)


@contextmanager
def _no_commands(stream: Any) -> Iterator[None]:
    """Names in the report cannot be commands of the workflow: GitHub stops listening until it hears the word again."""
    word = secrets.token_hex(16)
    stream.write(f"::stop-commands::{word}\n")
    stream.flush()
    try:
        yield
    finally:
        stream.write(f"::{word}::\n")
        stream.flush()


def _append_summary(text: str) -> None:
    place = os.environ.get("GITHUB_STEP_SUMMARY")
    if not place:
        typer.echo("GITHUB_STEP_SUMMARY is not set: there is no step summary to write.", err=True)
        return
    with open(place, "a", encoding="utf-8") as file:
        file.write(text)
