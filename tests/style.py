"""Forms that no sentence of Podium may have; `CONTRIBUTING.md` says what to write instead."""

import re

# In anything that a person reads.
REFUSED = (
    r"(?<![\d.,/])(?<!- )1 (?:ties|wins|losses|datasets|algorithms|pairs|folds|cells|scores|comparisons|differences|rows"
    r"|cases|runs|numbers|jobs|incomplete ones)\b",
    r"(?<!\d)-0(?:\.0+)?(?![\d.])",
    r"\bp = 0(?![.\d])",
    r"\bp = 0\.0+(?!\d)",
    r"adjusted p 1(?![.\d])",
    r"\d %(?![a-z(}])",
    r"for want of|want of room",
    r"not to be had",
    r"[Tt]ypically -?[\d.]+ \w+ (?:ahead|behind)",
    r"says that no difference",
    r"hangs? on a single dataset",
    r"It holds for \S+ on datasets like these",
    r"No room for:",
    r"not thereby shown",
    r"the first less the second",
    r", save (?:for|that)\b",
    r"(?<![Tt]here )\b(?:is|are) no (?:algorithms?|further|independent|mean|means|numbers?|features?|failure|repeats|prison|parts|score)\b",
    r"\b[Pp]ast (?:one|a single) machine",
    r"\bcannot be had\b",
    r"\bis held against\b",
    r"\bhas its place\b",
    r"\blet `?--?\w+`? be\b|\blet \{\w+\} be\b",
    r"\bis said on (?:stderr|the error)",
    r"\bin \d+(?:\.\d+)?% of the time",
    r"\b[Aa] [A-Z]?[Oo]mnibusResult",
)

# Private words for what the field has a word for. Nobody who reads a report or a page should have to learn them; docstrings of
# the code that computes may keep them.
PRIVATE = (
    r"\b(?:told|tells?|telling) (?:\w+ ){0,2}apart\b",  # significantly different; distinguished
    r"\bcannot be told\b",
    r"\bshown to (?:be|differ)\b",  # significantly
    r"\b[Hh]oles?\b",  # missing score, missing outcome
    r"\bPlaces\b",  # rank range
    r"\b(?:[Tt]he|[Tt]his) (?:\w+ )?room\b",  # module
    r"\bkeeps? (?:the|its|their) (?:level|error)",  # controls the type I error
    r"\b[Ff]alse alarms?\b",  # false positive
    r"\bcontests?\b",  # competition
    r"\b[Ll]uck\b",  # chance
    r"\bplaces (?:that )?(?:it|each|an algorithm)\b|\bplaces? (?:at|all) once\b",  # rank range
    r"\b[Ss]catters?\b(?! plot)",  # variability; varies
    r"\ball (?:of them )?at once\b|\ball pairs at once\b",  # simultaneous
    r"\bsign flips\b",  # sign-flip test
    r"\b[Ll]aws?\b",  # null distribution; approximation
    r"\bsteadiness\b",
    r"\bchange their mind\b",
    r"\bmust be a text\b",
    r"\bgive it several times\b",  # repeatable
    r"\bat the level (?:of )?\d",  # at the 0.05 level
)
PATTERN, PRIVATE_PATTERN = (re.compile("|".join(f"(?:{form})" for form in forms)) for forms in (REFUSED, PRIVATE))
CODE = re.compile(r"^```.*?^```|`[^`\n]+`|\]\([^)]*\)|\w+\.(?:csv|scatter)\b|^\[scatter\]$", re.DOTALL | re.MULTILINE)


def refused(text: str) -> list[str]:
    """The forms of a text that are refused."""
    return [match[0] for match in PATTERN.finditer(text)]


def private(text: str) -> list[str]:
    """The private words of a text, but for what is code or an address in it."""
    return [match[0] for match in PRIVATE_PATTERN.finditer(CODE.sub("", text))]
