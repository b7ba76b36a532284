"""What pages take from the package when they are built: text in, text out.

A page is Markdown. Fenced blocks with one of these names are replaced before Sphinx reads the page:

    {run} python      the code, and below it what it prints; names live on from block to block of a page
    {run} console     lines `$ command` in a shell, each followed by what it prints (files live on, too)
    {method} NAMES    how the functions are called, when to use them, what they assume
    {literature} KEYS references of functions, or keys of the bibliography
    {decisions}       the rules of `podium compare`
    {api} ROOM        the public names of a room, documented by Sphinx
    {cli}             every command with its options

A line `expect: TEXT` at the top of a {run} block is not shown: the output must hold that text, so that the words around the
block stay true.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import traceback
from pathlib import Path
from typing import Any

import podium
from podium.report.bibliography import entry
from podium.report.methods import keys_of, method, method_names

DATA = Path(__file__).parent / "data"
BLOCK = re.compile(
    r"^```\{(run|method|literature|decisions|api|cli)\}[ ]*([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
WIDTH = 100


class PageError(Exception):
    """A block of a page that cannot be made; the sentence says which."""


def expand(text: str) -> str:
    """The page with every block replaced."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(DATA, folder, dirs_exist_ok=True)
        runner = Runner(Path(folder))
        makers = {
            "run": runner.block,
            "method": lambda names, _: "\n".join(map(method_facts, names.split())),
            "literature": lambda names, _: literature(names.split()),
            "decisions": lambda *_: decisions(),
            "api": lambda room, _: api(room),
            "cli": lambda *_: commands(),
        }
        return BLOCK.sub(lambda found: makers[found[1]](found[2].strip(), found[3]), text)


class Runner:
    """Runs the blocks of one page, in a folder that holds the example files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, object] = {"__name__": "__page__"}

    def block(self, language: str, body: str) -> str:
        lines = body.splitlines()
        expected = [line.removeprefix("expect: ") for line in lines if line.startswith("expect: ")]
        code = "\n".join(line for line in lines if not line.startswith("expect: ")).strip("\n")
        made = self.console(code) if language == "console" else self.python(code)
        squeezed = " ".join(made.split())
        for text in expected:
            if " ".join(text.split()) not in squeezed:
                raise PageError(f"the output of a block does not hold {text!r}; it is:\n{made}")
        return made

    def python(self, code: str) -> str:
        printed = io.StringIO()
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(code, "<page>", "exec"), self.names)
        except Exception as error:
            raise PageError(f"a block fails: {traceback.format_exc()}") from error
        finally:
            os.chdir(before)
        return f"```python\n{code}\n```\n\n" + fenced(wrapped(printed.getvalue()))

    def console(self, code: str) -> str:
        parts = []
        for command in code.split("\n$ "):
            line = command.removeprefix("$ ")
            parts.append(f"$ {line}\n{self.shell(line)}".rstrip())
        return fenced("\n\n".join(parts), "console")

    def shell(self, line: str) -> str:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        settings = {**os.environ, "PATH": path, "COLUMNS": str(WIDTH), "NO_COLOR": "1", "TERM": "dumb"}
        ran = subprocess.run(["bash", "-c", line], cwd=self.folder, env=settings, capture_output=True, text=True)
        if ran.returncode:
            raise PageError(f"`{line}` ends with code {ran.returncode}: {ran.stderr}")
        return ran.stdout


def fenced(text: str, language: str = "text") -> str:
    """A block of output; nothing where there is none."""
    return f"```{language}\n{text.rstrip()}\n```\n" if text.strip() else ""


def wrapped(text: str) -> str:
    """Long sentences folded for reading; tables (two spaces in a row) stay as they are."""
    lines = (
        [line] if "  " in line else textwrap.wrap(line, WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
        for line in text.rstrip().splitlines()
    )
    return "\n".join(part for group in lines for part in group)


def method_facts(name: str) -> str:
    """The lines that every page of a method starts with, from its docstring and the guide."""
    known = method(name)
    page = f"../reference/api_{podium._HOME[name].split('.')[0]}.md#{name.replace('_', '-')}"
    parts = [f"{known.title} [Reference]({page}).", f"```python\n{wrapped(known.signature)}\n```"]
    if known.use:
        parts.append(f"**When.** {known.use}")
    if known.assumes:
        parts.append(f"**Assumes.** {known.assumes}")
    return "\n\n".join(parts) + "\n"


def literature(names: list[str]) -> str:
    """The works behind functions or keys, each once, as a list with addresses."""
    keys = dict.fromkeys(key for name in names for key in keys_of(name))
    if not keys:
        raise PageError(f"no reference is known for {', '.join(names)}")
    return "".join(f"- {_address(entry(key).text(), entry(key).url)}\n" for key in keys)


def _address(text: str, url: str) -> str:
    return f"{text} <{url}>" if url else text


def decisions() -> str:
    """For each question the rules in their order: the first that fits decides."""
    from podium.comparison.rules import QUESTIONS, RULES

    parts = []
    for name, question in QUESTIONS.items():
        parts.append(f"## {question}\n\n| if | then | because |\n|---|---|---|")
        for rule in RULES:
            if rule.question == name:
                answer = (
                    f"[`{rule.answer}`](methods/{rule.answer}.md)" if _has_page(rule.answer) else f"**{rule.answer}**"
                )
                parts[-1] += f"\n| {rule.condition} | {answer} | {rule.because} |"
    return "\n\n".join(parts) + "\n"


def _has_page(name: str) -> bool:
    return (Path(__file__).parent / "methods" / f"{name}.md").exists()


def api(room: str) -> str:
    """Sphinx's directives for every public name of a room, and for the results of its functions."""
    names = [name for name, home in sorted(podium._HOME.items()) if home.split(".")[0] == room]
    if not names:
        raise PageError(f"no public name lives in {room!r}")
    parts, shown = [], set(names)
    for name in names:
        thing = getattr(podium, name)
        kind = "class" if isinstance(thing, type) else "function"
        parts.append(f"## {name}\n\n" + _autodoc(kind, f"podium.{name}"))
        result = method(name).result if name in method_names() else ""
        if result and result not in shown:
            shown.add(result)
            module = sys.modules[thing.__module__]
            parts.append(_autodoc("class", f"{getattr(module, result).__module__}.{result}"))
    return "\n".join(parts)


def _autodoc(kind: str, name: str) -> str:
    options = "   :members:\n" if kind == "class" else ""
    return f"```{{eval-rst}}\n.. auto{kind}:: {name}\n{options}```\n"


def commands() -> str:
    """Every command: its sentence, its arguments and options with their defaults; options for reading once, at the end."""
    from typer.main import get_command

    from podium.cli.main import app

    reading: dict[str, str] = {}
    parts = _command("podium", get_command(app), 1, reading)
    rows = "\n".join(reading.values())
    return "\n".join([*parts, f"## {READING}\n\n{TABLE_HEAD}\n{rows}\n"])


READING = "Reading the scores"
TABLE_HEAD = "| option | default | what it does |\n|---|---|---|"


def _command(path: str, command: Any, level: int, reading: dict[str, str]) -> list[str]:
    parts = []
    if level > 1:
        parts.append(f"{'#' * level} {path}\n\n{(command.help or '').strip()}\n")
        rows = []
        for parameter in command.params:
            if getattr(parameter, "rich_help_panel", None) == READING:
                reading[parameter.name] = _parameter(parameter)
            else:
                rows.append(_parameter(parameter))
        parts += [f"{TABLE_HEAD}\n" + "\n".join(rows) + "\n"] if rows else []
        if len(rows) < len(command.params):
            parts.append("It takes the options for [reading the scores](#reading-the-scores), too.\n")
    for name, inner in sorted(getattr(command, "commands", {}).items()):
        parts += _command(f"{path} {name}", inner, level + 1, reading)
    return parts


def _parameter(parameter: Any) -> str:
    is_argument = parameter.param_type_name == "argument"
    names = (
        [parameter.metavar or parameter.name.upper()] if is_argument else [*parameter.opts, *parameter.secondary_opts]
    )
    default = parameter.default if isinstance(parameter.default, str | int | float) else ""
    shown = f"`{default}`" if default not in ("", False, True) else ""
    text = (parameter.help or "").replace("|", "\\|").replace("*", "\\*")
    return f"| {', '.join(f'`{name}`' for name in names)} | {shown} | {text} |"
