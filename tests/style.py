"""Forms that no sentence of Podium may have; `CONTRIBUTING.md` says what to write instead."""

import re

# In anything that a person reads.
REFUSED = (
    r"(?<![\d.,/])(?<!- )1 (?:ties|wins|losses|datasets|algorithms|pairs|folds|cells|scores|comparisons|differences|rows)\b",
    r"(?<!\d)-0(?:\.0+)?(?![\d.])",
    r"\bp = 0(?![.\d])",
    r"adjusted p 1\b",
    r"\d %(?![a-z(}])",
    r"for want of|want of room",
    r"not to be had",
    r"paper's is loose",
    r"request walks",
    r"[Tt]ypically -?[\d.]+ \w+ (?:ahead|behind)",
    r"(?:ahead of|behind) \S+ \(\d+% interval",
    r"says that no difference",
    r"What repeats it",
    r"hangs? on a single dataset",
    r"It takes the holes",
    r"Beside it:",
    r"Do the same",
    r"It holds for \S+ on datasets like these",
    r"No room for:",
    r"not thereby shown",
    r"the first less the second",
    r"[a-z] < [a-z]\w* < ",  # an order must say which end is best
    r", save (?:for|that)\b",
    r"\b(?:is|are) no (?:further|independent|mean|means|features?|failure|repeats|prison|parts)\b",
    r"\b[Pp]ast (?:one|a single) machine",
    r"\bcannot be had\b",
    r"\bis held against\b",
    r"\bthat is to say\b",
    r"\bhas its place\b",
    r"\bof its own accord\b",
    r"\bis said on (?:stderr|the error)",
)
PATTERN = re.compile("|".join(f"(?:{form})" for form in REFUSED))


def refused(text: str) -> list[str]:
    """The forms of a text that are refused."""
    return [match[0] for match in PATTERN.finditer(text)]
