"""A page that sets printed numbers beside those that were found; used by the scripts of the papers."""

from pathlib import Path

PAPERS = Path(__file__).parents[1] / "docs" / "papers"


class Page:
    """Markdown that grows part by part, and the differences that were met on the way.

    A number within one unit of the last of three or more printed digits does not differ: it was rounded, or made from
    rounded ones.
    """

    def __init__(self, name, title, intro, folder=PAPERS):
        self.name, self.folder = name, Path(folder)
        self.parts = [f"# {title}", f"<!-- Made by examples/{name}.py; a test compares. -->", intro.strip()]
        self.parts += ["## In the paper, and here", f"```{{paper}} {name}\n```"]  # the build runs every row
        self.compared = 0
        self.differences = []
        self.roundings = []

    def head(self, text):
        self.parts.append(f"## {text}")

    def text(self, text):
        self.parts.append(text.strip())

    def numbers(self, rows, *, why=""):
        """Rows (what, printed, found): found is a text, or a number written with the digits of the printed one."""
        lines = ["| | printed | found | |", "|---|---:|---:|---|"]
        for what, printed, found in rows:
            shown = rounded(found, printed)
            lines.append(f"| {what} | {printed} | {shown} | {self._note(what, printed, found)} |")
        self.parts += ["\n".join(lines), *([why.strip()] if why else [])]

    def matrix(self, caption, names, printed, found, *, why=""):
        """A square table; where the found cell differs it stands beside the printed one."""
        lines = ["| | " + " | ".join(names) + " |", "|---|" + "---:|" * len(names)]
        for name, old, new in zip(names, printed, found, strict=True):
            cells = [
                str(a) if self._same(f"{caption}: {name}, {other}", str(a), str(b)) else f"{b} (printed {a})"
                for other, a, b in zip(names, old, new, strict=True)
            ]
            lines.append(f"| **{name}** | " + " | ".join(cells) + " |")
        self.parts += [f"{caption}:", "\n".join(lines), *([why.strip()] if why else [])]

    def picture(self, file, figure, words):
        (self.folder / "images").mkdir(parents=True, exist_ok=True)
        figure.save(self.folder / "images" / file)
        self.parts.append(f"![{words}](images/{file})")

    def table(self, frame):
        """A DataFrame as a Markdown table."""
        head = "| " + " | ".join(map(str, frame.columns)) + " |"
        rows = ["| " + " | ".join(map(str, row)) + " |" for row in frame.itertuples(index=False)]
        self.parts.append("\n".join([head, "|" + "---|" * len(frame.columns), *rows]))

    def write(self, *, counted=True):
        """The page, written and given back; if counted, its last sentence says how much agrees."""
        if counted:
            self._count()
        self.folder.mkdir(parents=True, exist_ok=True)
        text = "\n\n".join(self.parts) + "\n"
        (self.folder / f"{self.name}.md").write_text(text, encoding="utf-8")
        return text

    def _count(self):
        same = self.compared - len(self.differences) - len(self.roundings)
        self.head("In sum")
        self.text(f"{self.compared} printed numbers and decisions were compared; {same} agree to the printed digits.")
        if self.roundings:
            head = "Equal but for rounding, that is within one unit of the last printed digit:"
            self.text(f"{head}\n\n" + "\n".join(f"- {line}" for line in self.roundings))
        if self.differences:
            self.text("Those that differ:\n\n" + "\n".join(f"- {line}" for line in self.differences))

    def _note(self, what, printed, found):
        if not only_rounded(found, printed):
            return "agrees" if self._same(what, printed, rounded(found, printed)) else "differs"
        self.compared += 1
        self.roundings.append(f"{what}: printed {printed}, found {float(found):.{decimals(printed) + 1}f}.")
        return "equal but for rounding"

    def _same(self, what, printed, found):
        self.compared += 1
        if printed != found:
            self.differences.append(f"{what}: printed {printed}, found {found}.")
        return printed == found


def rounded(value, printed):
    """A number with as many decimals as the printed one; texts stay."""
    return value if isinstance(value, str) else f"{float(value):.{decimals(printed)}f}"


def only_rounded(value, printed):
    """Whether a number is not the printed one, yet within one unit of its last digit, which must be a small part of it."""
    digits = printed.replace(".", "").lstrip("0")
    if isinstance(value, str) or not decimals(printed) or len(digits) < 3 or rounded(value, printed) == printed:
        return False
    return abs(float(value) - float(printed)) < 10.0 ** -decimals(printed)


def decimals(printed):
    return len(printed.partition(".")[2])
