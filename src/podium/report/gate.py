"""The gate for other programs: JUnit XML, and what a GitHub workflow shows."""

from __future__ import annotations

from dataclasses import replace

from podium.cases.gate_result import GateCheck, GateResult, how_much, sentence, what_would
from podium.core.escape import visible, xml
from podium.report.document import Document
from podium.report.render_markdown import render_markdown

NAME = "podium gate"


def junit_xml(result: GateResult, code: int) -> str:
    """One test case per check; a worse one is a failure, an open one too unless the exit code lets it pass."""
    failed = [check for check in result.checks if _fails(check, code)]
    skipped = [check for check in result.checks if check.answer == "cannot tell" and not _fails(check, code)]
    counts = f'tests="{len(result.checks)}" failures="{len(failed)}" errors="0" skipped="{len(skipped)}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="{NAME}" {counts}>',
        f'  <testsuite name="{xml(f"{result.candidate} against {result.baseline}")}" {counts}>',
        *(_test_case(result, check, code) for check in result.checks),
        f"    <system-out>{xml(result.summary())}</system-out>",
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _fails(check: GateCheck, code: int) -> bool:
    return check.answer == "worse" or (check.answer == "cannot tell" and code != 0)


def _test_case(result: GateResult, check: GateCheck, code: int) -> str:
    opening = f'    <testcase classname="{NAME.replace(" ", ".")}" name="{xml(check.name)}"'
    if check.answer == "not worse":
        return f"{opening}/>"
    message = xml(sentence(result.baseline, result.candidate, check))
    detail = xml(" ".join([how_much(check, result.alpha), *what_would(check)]))
    inner = (
        f'<failure type="{check.answer}" message="{message}">{detail}</failure>'
        if _fails(check, code)
        else f'<skipped message="{message} {detail}"/>'
    )
    return f"{opening}>{inner}</testcase>"


def annotation(result: GateResult, code: int) -> str:
    """The answer as a workflow command: an error, a warning, or a notice.

    https://docs.github.com/actions/reference/workflow-commands-for-github-actions
    """
    level = "notice" if code == 0 else "warning" if result.answer == "cannot tell" and code != 1 else "error"
    title = _data(result.title).replace(":", "%3A").replace(",", "%2C")
    return f"::{level} title={title}::{_data(result.summary())}"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def step_summary(document: Document) -> str:
    """The report as Markdown for the summary of a step, without its bibliography."""
    return render_markdown(replace(document, references=())) + "\n"
