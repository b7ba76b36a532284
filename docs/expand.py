"""What pages take from the package when they are built: text in, text out.

A page is Markdown. Fenced blocks with one of these names are replaced before Sphinx reads the page:

    {run} python      the code, and below it what it prints; names live on from block to block of a page
    {run} console     lines `$ command` in a shell, each followed by what it prints (files live on, too)
    {method} NAMES    how the functions are called, when to use them, what they assume
    {literature} KEYS references of functions, or keys of the bibliography
    {decisions}       the rules of `podium compare`
    {metrics}         the metrics of the chance module
    {api} ROOM        the public names of a module, documented by Sphinx
    {figures}         every figure with what it shows
    {draw}            the code, whose last line makes a figure, below its name and caption; and the figure
    {picture}         a figure of the names that the {run} blocks above it have made; the code is one line
    {methods} PAGES   pages of methods, each with when to use it
    {commands}        every command with its sentence, by question
    {paper} NAME      what stands in a paper, the command or expression that gives it here, and both numbers: `papers/rows/NAME.toml`
    {cli}             every command with its options
    {options} PANEL   the options of reading, analysing or output, with their names in Python and on the page

Three kinds of lines at the top of a {run} block are not shown: `expect: TEXT` demands that the output hold that text, so that
the words around the block stay true, `show: START | END` keeps of each command's output the lines from the first
that starts with START to the one before END, and `exit: CODE` demands that the program end with this code instead of 0.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import tomllib
import traceback
from functools import cache
from pathlib import Path
from typing import Any

from drawing import Gallery, PageError, drawn, gallery_code

import podium
from podium.core.errors import PodiumError
from podium.core.options import OPTIONS, OUTPUT, READING, RUNNING, TOPICS, as_flag
from podium.report.bibliography import entry
from podium.report.methods import PREFIXED, explain, keys_of, method_names

DOCS = Path(__file__).parent
DATA = DOCS / "data"
BLOCK = re.compile(
    r"^```\{(run|picture|paper|methods?|literature|decisions|metrics|api|figures|draw|cli|commands|options)\}[ ]*([^\n]*)\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
WIDTH = 88
TERMINAL = {"COLUMNS": str(WIDTH), "NO_COLOR": "1", "TERM": "dumb"}
ANSWERS: dict[tuple[str | int, ...], str] = {}  # what commands printed that depend on nothing but their words


def expand(text: str, page: str = "") -> str:
    """The page with every block replaced; the first picture of a method's page is kept for the reference."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(DATA, folder, dirs_exist_ok=True)
        runner, gallery = Runner(Path(folder), page), Gallery(Path(folder))
        makers = {
            "run": runner.block,
            "picture": lambda _, code: runner.picture(code),
            "paper": lambda name, _: runner.paper(name),
            "methods": lambda pages, _: method_list(pages.split()),
            "commands": lambda *_: command_list(),
            "method": lambda names, _: "\n".join(map(method_facts, names.split())),
            "literature": lambda names, _: literature(names.split()),
            "decisions": lambda *_: decisions(),
            "metrics": lambda *_: metrics(),
            "api": lambda room, _: api(room, gallery),
            "figures": lambda *_: figures(),
            "draw": lambda _, code: gallery.block(code),
            "cli": lambda *_: commands(),
            "options": lambda panel, _: options(panel),
        }
        return BLOCK.sub(lambda found: makers[found[1]](found[2].strip(), found[3]), text)


class Runner:
    """Runs the blocks of one page, in a folder that holds the example files."""

    def __init__(self, folder: Path, page: str) -> None:
        self.folder, self.page = folder, page
        self.names: dict[str, object] = {"__name__": "__page__"}
        self.exit_code = self.pictures = 0

    def block(self, language: str, body: str) -> str:
        lines = body.splitlines()
        wishes = [line.partition(": ") for line in lines if line.startswith(("expect: ", "show: ", "exit: "))]
        code = "\n".join(lines[len(wishes) :]).strip("\n")
        shown = next((wish for word, _, wish in wishes if word == "show"), "")
        self.exit_code = next((int(wish) for word, _, wish in wishes if word == "exit"), 0)
        made = self.console(code, shown) if language == "console" else self.python(code)
        squeezed = " ".join(made.split())
        for text in (wish for word, _, wish in wishes if word == "expect"):
            if " ".join(text.split()) not in squeezed:
                raise PageError(f"the output of a block does not hold {text!r}; it is:\n{made}")
        return made

    def python(self, code: str) -> str:
        printed = io.StringIO()
        try:
            with contextlib.chdir(self.folder), contextlib.redirect_stdout(printed):
                exec(compile(code, "<page>", "exec"), self.names)
        except Exception as error:
            raise PageError(f"a block fails: {traceback.format_exc()}") from error
        return f"```python\n{code}\n```\n\n" + fenced(wrapped(printed.getvalue()))

    def picture(self, code: str) -> str:
        """The line, and the figure that it makes of what the blocks above have made."""
        self.pictures += 1
        with contextlib.chdir(self.folder):
            made = drawn(code, self.names, f"picture-{self.page or 'page'}-{self.pictures}")
        _PAGE_PICTURES.setdefault(self.page, made)
        return f"```python\n{code.strip()}\n```\n\n{made}"

    def paper(self, name: str) -> str:
        """The rows of a paper as a table. Each is run, and what it prints must hold what the row says of it."""
        known = paper_rows(name)
        own: dict[str, object] = {"podium": podium}
        exec(known.get("setup", ""), own)
        entries = ", ".join(f"! {words}" for words in known.get("index", ()))  # main entries come first in a search
        lines = [f"```{{index}} {entries}\n```\n"] if entries else []
        if words := known.get("words", "").split():  # the search knows them without showing them
            lines.append(f"```{{eval-rst}}\n.. meta::\n   :keywords: {', '.join(words)}\n```\n")
        if setup := known.get("setup", "").strip():
            lines.append(f"Rows in Python go on from here:\n\n```python\nimport podium\n{setup}\n```\n")
        lines += ["| in the paper | printed | what gives it here | here | why they differ |", "|---|---|---|---|---|"]
        for row in known["row"]:
            printed = self.shell(row["run"]) if "run" in row else str(eval(row["python"], own))
            if " ".join(row["here"].split()) not in " ".join(printed.split()):
                raise PageError(
                    f"{name}, {row['paper']!r}: the output does not hold {row['here']!r}; it is:\n{printed}"
                )
            cells = (
                row["paper"],
                row["printed"],
                f"`{row.get('run') or row['python']}`",
                row["here"],
                row.get("why", ""),
            )
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        return "\n".join(lines) + "\n"

    def console(self, code: str, shown: str) -> str:
        parts = []
        for command in code.split("\n$ "):
            line = command.removeprefix("$ ")
            parts.append(f"$ {line}\n{part_of(self.shell(line), shown)}".rstrip())
        return fenced("\n\n".join(parts), "console")

    def shell(self, line: str) -> str:
        """What a command prints; what it says on the error stream is shown only where it prints nothing else."""
        if line.startswith("podium ") and not set(line) & set("|<>&;$"):
            return self.program(shlex.split(line)[1:])
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        settings = {**os.environ, **TERMINAL, "PATH": path}
        ran = subprocess.run(["bash", "-c", line], cwd=self.folder, env=settings, capture_output=True, text=True)
        if ran.returncode:
            raise PageError(f"`{line}` ends with code {ran.returncode}: {ran.stderr}")
        return ran.stdout or ran.stderr

    def program(self, arguments: list[str]) -> str:
        """The program within this process, which spares the start of another.

        What reads and writes no file prints the same on every page: it is run once.
        """
        from typer.testing import CliRunner

        from podium.cli.main import program

        key, before = (*arguments, self.exit_code), sorted(self.folder.rglob("*"))
        reads = any((self.folder / word).exists() for word in arguments)
        if key in ANSWERS and not reads:
            return ANSWERS[key]
        with contextlib.chdir(self.folder):
            ran = CliRunner(env=TERMINAL).invoke(program(arguments[:1]), arguments)
        code, printed = ran.exit_code, ran.stdout or ran.stderr
        if isinstance(ran.exception, PodiumError):  # as the program itself prints it
            code, printed = 2, textwrap.fill(f"podium: {ran.exception.said(as_flag)}", WIDTH)
        if code != self.exit_code:
            raise PageError(f"`podium {shlex.join(arguments)}` ends with code {code}: {ran.exception!r}")
        if not reads and sorted(self.folder.rglob("*")) == before:
            ANSWERS[key] = printed
        return printed


def paper_rows(name: str) -> dict[str, Any]:
    """What stands in a paper, row by row, and the command (`run`) or expression (`python`) of each."""
    return tomllib.loads((DOCS / "papers" / "rows" / f"{name}.toml").read_text(encoding="utf-8"))


def part_of(output: str, shown: str) -> str:
    """The lines from one that starts with the first word to the one before the last; all where no words are given."""
    lines = [line.rstrip() for line in wrapped(output).splitlines()]
    if not shown:
        return "\n".join(lines)
    start, _, end = (word.strip() for word in shown.partition("|"))
    first = _line_with(start, lines, 0)
    last = _line_with(end, lines, first + 1) if end else len(lines)
    kept = "\n".join(lines[first:last]).rstrip()
    return ("...\n" if first else "") + kept + ("\n..." if last < len(lines) else "")


def _line_with(start: str, lines: list[str], at_least: int) -> int:
    """The number of the next line that starts with this, after its spaces; a page that asks for another is out of date."""
    for i in range(at_least, len(lines)):
        if lines[i].lstrip().startswith(start):
            return i
    raise PageError(f"no line of the output starts with {start!r}")


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
    """The lines that every page of a method starts with, from its docstring and the registry."""
    known = explain(name)
    room, function = known.signature.partition("(")[0].split(".")[-2:]
    room = _room_of(getattr(podium, function)) if room == "podium" else room
    page = f"../reference/api_{room}.md#{function.replace('_', '-')}"
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
    from podium.comparison.rules import QUESTIONS, rules_of

    parts = []
    for name, question in QUESTIONS["dataset"].items():
        parts.append(f"## {question}\n\n| if | then | because |\n|---|---|---|")
        for rule in rules_of("dataset"):
            if rule.question == name:
                answer = (
                    f"[`{rule.answer}`](methods/{rule.answer}.md)" if _has_page(rule.answer) else f"**{rule.answer}**"
                )
                parts[-1] += f"\n| {rule.when} | {answer} | {rule.because.replace('{one}', 'algorithm')} |"
    cases = _decisions_on("case", "The same test cases", "Other rules apply where one row is a test case.")
    runs = _decisions_on("run", "Runs of agents on tasks", "And others where one row is a run of an agent on a task.")
    return "\n\n".join([*parts, *cases, *runs]) + "\n"


def _decisions_on(unit: str, title: str, sentence: str) -> list[str]:
    """The branch of another unit, where the data and the kernel say which test fits."""
    from podium.comparison.rules import QUESTIONS, rules_of

    parts = [f"## {title}\n\n{sentence}"]
    for name, question in QUESTIONS[unit].items():
        because = {
            rule: rule.because.replace("{noun}", "case").replace("{nouns}", "cases").replace("{one}", "algorithm")
            for rule in rules_of(unit)
        }
        rows = [f"| **{rule.answer}** | {because[rule]} |" for rule in rules_of(unit) if rule.question == name]
        if rows:
            parts.append("\n".join([f"### {question}", "", "| answer | because |", "|---|---|", *rows]))
    return parts


def metrics() -> str:
    """The metrics of the chance module, from its registry."""
    from podium.chance.registry import METRICS

    words = {"ranking": "the whole ranking", "top": "the top n", "thresholds": "the best threshold"}
    rows = [
        f"| `{one.shown}` | {one.about} | {words[one.needs]} | {'exact' if one.exact else 'simulated'} |"
        for one in METRICS.values()
    ]
    return "\n".join(["| name | what it is | looks at | law |", "|---|---|---|---|", *rows]) + "\n"


def _has_page(name: str) -> bool:
    return (DOCS / "methods" / f"{name}.md").exists()


def figures() -> str:
    """A table of every figure: what it shows, and of which results."""
    from podium.plot.registry import FIGURES

    rows = [
        f"| `{kind.name}` | {', '.join(kind.shows) or 'several results'} | {kind.caption} |"
        for kind in FIGURES.values()
    ]
    return "\n".join(["| figure | of | shows |", "| --- | --- | --- |", *rows])


def api(room: str, gallery: Gallery) -> str:
    """Sphinx's directives for every public name of a module, and for the results of its functions, with pictures."""
    places = dict.fromkeys(getattr(importlib.import_module(f"podium.{room}"), "__all__", ()), f"podium.{room}")
    verbs = {name: "podium" for name in podium.__all__ if _room_of(getattr(podium, name)) == room}
    parts: list[str] = []
    shown, pictured = {*places, *verbs}, set[str]()
    for name, place in sorted({**places, **verbs}.items()):
        thing = getattr(importlib.import_module(place), name)
        kind = "class" if isinstance(thing, type) else "function"
        parts.append(f"## {name}\n\n" + _autodoc(kind, f"{place}.{name}"))
        parts.append(_figure_shown(name, gallery) if room == "plot" else "")
        known = f"{room}.{name}" if room in PREFIXED else name
        if known in method_names() and explain(known).signature.startswith(f"{place}.{name}("):
            parts.append(_method_shown(known, pictured))
            result = explain(known).result
            if result and result not in shown:
                shown.add(result)
                made = getattr(sys.modules[thing.__module__], result)
                home = importlib.import_module(f"podium.{_room_of(made)}")
                if result not in getattr(home, "__all__", ()):  # else the page of its own room has it
                    parts.append(_autodoc("class", f"{made.__module__}.{result}"))
    return "\n".join(filter(None, parts))


def _figure_shown(name: str, gallery: Gallery) -> str:
    """The picture of a figure, and where its code is."""
    code = gallery_code().get(name)
    return f"[Code in the gallery](../gallery.md#{_anchor(name)})\n\n{gallery.picture(code)}" if code else ""


def _method_shown(name: str, pictured: set[str]) -> str:
    """The page of a method, the figures of its results, and the picture of its page where that was not shown before."""
    from podium.plot.registry import FIGURES

    page = method_pages()[name]
    drawn_by = [kind for kind, figure in FIGURES.items() if explain(name).result in figure.shows]
    text = f"Explained with its formula and an example: [{title_of(page)}](../methods/{page}.md)."
    if drawn_by:
        text += " Figures: " + ", ".join(f"[`{kind}`](../gallery.md#{_anchor(kind)})" for kind in drawn_by) + "."
    again = page in pictured
    pictured.add(page)
    return f"{text}\n\n{'' if again else picture_of(page)}"


def _anchor(name: str) -> str:
    return name.replace("_", "-")


@cache
def method_pages() -> dict[str, str]:
    """The page of each method: the one that says how it is called, else one that cites it, else one that names it."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((DOCS / "methods").glob("*.md"))}
    found: dict[str, str] = {}
    for block in ("method", "literature"):
        for page, text in texts.items():
            for names in re.findall(rf"^```\{{{block}\}} (.*)$", text, re.MULTILINE):
                found |= {name: page for name in names.split() if name not in found}
    for name in method_names():
        if name in texts:
            found.setdefault(name, name)
        naming = [page for page, text in texts.items() if re.search(rf"`(?:\w+\.)*{name.split('.')[-1]}[`(]", text)]
        if name not in found and naming:
            found[name] = naming[0]
    return found


def title_of(page: str) -> str:
    """The heading of a page of a method."""
    return (DOCS / "methods" / f"{page}.md").read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


_PAGE_PICTURES: dict[str, str] = {}


def picture_of(page: str) -> str:
    """The first picture on a method's page; nothing where it has none."""
    if page not in _PAGE_PICTURES:
        path = DOCS / "methods" / f"{page}.md"
        expand(path.read_text(encoding="utf-8"), page)
    return _PAGE_PICTURES.get(page, "")


def method_list(pages: list[str]) -> str:
    """A table of pages of methods, each with when to use the first of its methods."""
    first = {page: name for name, page in reversed(method_pages().items())}
    rows = [
        f"| [{title_of(page)}]({page}.md) | {explain(first[page]).use if page in first else ''} |" for page in pages
    ]
    return "\n".join(["| page | when to use it |", "|---|---|", *rows]) + "\n"


def command_list() -> str:
    """Every command with its sentence, under the question that it answers."""
    from typer.main import get_command

    from podium.cli.main import QUESTIONS, app

    known = get_command(app).commands  # type: ignore[attr-defined]
    parts = []
    for question, commands in QUESTIONS.items():
        rows = [
            f"| [podium {name}]({name}.md) | {(known[name].help or '').strip().splitlines()[0]} |" for name in commands
        ]
        parts.append("\n".join([f"## {question}", "", "| command | what it does |", "|---|---|", *rows, ""]))
    return "\n".join(parts)


def _room_of(thing: Any) -> str:
    """The module in which a verb or a type of the top level is defined; nothing for a room itself."""
    return getattr(thing, "__module__", "podium.").split(".")[1]


def _autodoc(kind: str, name: str) -> str:
    options = "   :members:\n" if kind == "class" else ""
    return f"```{{eval-rst}}\n.. auto{kind}:: {name}\n{options}```\n"


def commands() -> str:
    """Every command: its sentence, its arguments and options with their defaults; options that are shared once, at the end."""
    from typer.main import get_command

    from podium.cli.main import app

    shared: dict[str, dict[str, str]] = {panel: {} for panel in SHARED}
    parts = _command("podium", get_command(app), 1, shared)
    for panel, rows in shared.items():
        parts.append(f"## {panel}\n\n{TABLE_HEAD}\n" + "\n".join(rows.values()) + "\n")
    return "\n".join(parts)


SHARED = {  # the options on these topics are listed once
    TOPICS["reading"]: "It takes the options on [how the scores are read](#how-the-scores-are-read), too.\n",
    TOPICS["output"]: "It takes the options on [further forms of output](#further-forms-of-output), too.\n",
}
TABLE_HEAD = "| option | default | what it does |\n|---|---|---|"


def _command(path: str, command: Any, level: int, shared: dict[str, dict[str, str]]) -> list[str]:
    parts = []
    if level > 1:
        parts.append(f"{'#' * level} {path}\n\n{(command.help or '').strip()}\n")
        rows = []
        panels = [getattr(parameter, "rich_help_panel", None) for parameter in command.params]
        for parameter, panel in zip(command.params, panels, strict=True):
            if panel in shared:
                shared[panel][parameter.name] = _parameter(parameter)
            else:
                rows.append(_parameter(parameter))
        parts += [f"{TABLE_HEAD}\n" + "\n".join(rows) + "\n"] if rows else []
        parts += [sentence for panel, sentence in SHARED.items() if panel in panels]
    for name, inner in sorted(getattr(command, "commands", {}).items()):
        parts += _command(f"{path} {name}", inner, level + 1, shared)
    return parts


def options(panel: str) -> str:
    """A table of options: on the command line, in Python and on the page."""
    chosen = {"reading": READING, "running": RUNNING, "output": OUTPUT}.get(panel) or [
        name for name in OPTIONS if name not in (*READING, *RUNNING, *OUTPUT)
    ]
    rows = ["| command line | Python | page | what it does |\n|---|---|---|---|"]
    for option in (OPTIONS[name] for name in chosen):
        label = f"“{option.label}”" if option.label else ""
        rows.append(f"| `{option.flag}` | `{option.name}` | {label} | {option.help} |".replace("*.", "\\*."))
    return "\n".join(rows) + "\n"


def _parameter(parameter: Any) -> str:
    is_argument = parameter.param_type_name == "argument"
    names = (
        [parameter.metavar or parameter.name.upper()] if is_argument else [*parameter.opts, *parameter.secondary_opts]
    )
    default = parameter.default if isinstance(parameter.default, str | int | float) else ""
    shown = f"`{default}`" if default not in ("", False, True) else ""
    text = (parameter.help or "").replace("|", "\\|").replace("*", "\\*")
    return f"| {', '.join(f'`{name}`' for name in names)} | {shown} | {text} |"
