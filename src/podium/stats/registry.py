"""Which tests and corrections there are, as plain data: whatever offers, runs, names, explains or cites one reads it here.

A new pairwise test is a file in `pairwise` with a `kernel` and an `estimate`, and an entry in `registry.toml`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from podium.core.errors import ArgumentError
from podium.core.numbers import capital
from podium.core.registry import entries, read_toml

PAIRED = "A large p-value would not show that the two are equal, nor a small one that the difference matters."
RANKED = (
    "Mean ranks depend on the whole pool: adding or removing other algorithms can change the verdict on a pair "
    "(Benavoli et al. 2016)."
)
SCORED = (
    "It assumes that scores of different datasets can be compared, that errors are normal, and that the differences of all "
    "pairs vary alike (sphericity)."
)


class _Cited:
    """What has a text with `[@key]` citations, and more keys `also`."""

    phrase: str
    also: tuple[str, ...]

    @property
    def references(self) -> tuple[str, ...]:
        """Keys of the bibliography: those of the text first."""
        return tuple(dict.fromkeys((*re.findall(r"\[@(\w+)\]", self.phrase), *self.also)))


@dataclass(frozen=True, kw_only=True)
class Method(_Cited):
    """A test or a procedure: what it looks at, how it is told, and when it may be used.

    `over` says what the evidence is: "datasets" (the two alone, over datasets), "folds" (of one dataset) or "pool" (all
    algorithms at once). `phrase` ends a sentence of a paper's methods paragraph ("... by"), `phrase_by` the same for each variant; `caution` is what does not follow from the test. `options` are given to the
    public function, which has the name of its module (`home`).
    """

    name: str
    over: str
    phrase: str
    also: tuple[str, ...] = ()
    assumes: str
    use: str
    caution: str = PAIRED
    at: str = ""  # the module, where it has not the name of the test
    phrase_by: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    effect: str = "mean difference"  # what its estimate is called
    on: str = ""  # what a test of the pool compares: mean "ranks" or mean "scores"
    beside: str = ""  # a test of the pool shows the effects of this test of the two beside it
    design: str = ""  # the folds it needs: "5x2", "one repeat", or any
    needs_control: bool = False
    correction: str = ""  # how it corrects itself
    symmetric: bool = False  # its law is that of fair signs: p is at least 2^(1 - n)
    sided: bool = True  # whether it can be asked one-sidedly
    measured: tuple[float, ...] = ()  # its lowest and highest rate of false positives at 5% (benchmarks/one_dataset.py)
    inverted: bool = False  # whether it rejects just where its interval excludes 0
    distance: bool = False  # whether mean ranks differ significantly from one distance on, its critical difference
    studied: tuple[str, ...] = ()  # the studies of `studies` that look at it unless others are named
    needs_scores: bool = False  # contrasts scores otherwise than by their difference, such as by ratios

    @property
    def of_pool(self) -> bool:
        """Whether it looks at all algorithms at once, so that a third one can change what it says of two."""
        return self.over == "pool"

    @property
    def corrects_itself(self) -> bool:
        """Whether its p-values need no correction for the number of pairs."""
        return bool(self.correction)

    @property
    def called(self) -> str:
        """Its name within a sentence.

        >>> PAIRWISE["sign"].called, PAIRWISE["sign"].label
        ('the sign test', 'The sign test')
        """
        return re.split(r" \[@|,", self.phrase)[0]

    @property
    def label(self) -> str:
        """Its name at the beginning of a sentence."""
        return capital(self.called)

    @property
    def home(self) -> str:
        """The module that has it."""
        room = "posthoc" if self.of_pool else "pairwise"
        return f"podium.stats.{self.at or f'{room}.{self.name}'}"


@dataclass(frozen=True, kw_only=True)
class Correction(_Cited):
    """A correction of many p-values; `phrase` says whose it is, `controls` is "fwer", "fdr" or "none"."""

    name: str
    phrase: str
    assumes: str
    use: str
    also: tuple[str, ...] = ()
    alias: str = ""  # another name of the same steps, understood wherever a correction is named
    controls: str = "fwer"
    all_pairs_only: bool = False
    first_by_count: bool = False  # whether the smallest of m p-values is multiplied by m, whatever the others are

    @property
    def plain(self) -> str:
        """Whose it is, without the citation.

        >>> CORRECTIONS["holm"].plain
        'Holm'
        """
        return re.sub(r" \[@\w+\]", "", self.phrase)

    @property
    def procedure(self) -> str:
        """What p-values were adjusted with; "" where they were not.

        >>> CORRECTIONS["holm"].procedure
        "Holm's procedure [@holm1979]"
        """
        return self.phrase.replace(" [@", "'s procedure [@", 1)

    @property
    def home(self) -> str:
        """The module that has it."""
        return "podium.stats.corrections.steps"


def _method(caution: str = "{paired}", **entry: Any) -> Method:
    return Method(caution=caution.format(paired=PAIRED, ranked=RANKED, scored=SCORED), **entry)


_ENTRIES = read_toml("stats", "registry.toml")
PAIRWISE, OMNIBUS, PROCEDURES = (entries(_method, _ENTRIES[kind]) for kind in ("pairwise", "omnibus", "procedures"))
CORRECTIONS = entries(Correction, _ENTRIES["corrections"])


def names(over: str | Collection[str] | None = None, *, control: bool | None = None) -> tuple[str, ...]:
    """The names of the pairwise tests over what is said (default: anything), with or without those that need a control.

    >>> names("folds")
    ('corrected_t', 'cv5x2_f', 'cv5x2_t', 'kfold_t')
    >>> names("pool", control=True)
    ('bonferroni_dunn', 'dunnett')
    """
    wanted = None if over is None else {over} if isinstance(over, str) else set(over)
    return tuple(
        name
        for name, method in PAIRWISE.items()
        if (wanted is None or method.over in wanted) and control in (None, method.needs_control)
    )


def usual(study: str) -> tuple[str, ...]:
    """The tests, of pairs and of all algorithms, that a study looks at unless others are named.

    >>> usual("power")
    ('wilcoxon', 'sign', 'paired_t')
    """
    return tuple(name for name, method in {**PAIRWISE, **OMNIBUS}.items() if study in method.studied)


def pairwise(name: Any, over: str | Collection[str] | None = None) -> Method:
    """The pairwise test of that name, over what is said.

    >>> pairwise("kfold", over="folds")
    Traceback (most recent call last):
    ...
    podium.core.errors.ArgumentError: `test` must be 'corrected_t', 'cv5x2_f', 'cv5x2_t' or 'kfold_t'; got 'kfold': did you mean 'kfold_t'?
    """
    return PAIRWISE[_chosen("test", name, names(over))]


def omnibus(name: Any) -> Method:
    """The omnibus test of that name."""
    return OMNIBUS[_chosen("omnibus", name, OMNIBUS)]


def correction(name: Any) -> Correction:
    """The correction of that name.

    >>> correction("holland").name
    'holm_sidak'
    """
    aliases = {entry.alias: entry.name for entry in CORRECTIONS.values() if entry.alias}
    return CORRECTIONS[_chosen("correction", aliases.get(name, name) if isinstance(name, str) else name, CORRECTIONS)]


def _chosen(argument: str, name: Any, names: Collection[str]) -> str:
    from podium.core import check  # it loads numpy, which `podium --help` can do without

    return check.choice(argument, name, names)


def fitting(name: Any, *, test: str | None = None, control: bool = False) -> Correction:
    """The correction of that name, if it may be used with the test and these pairs.

    >>> fitting("shaffer", control=True)
    Traceback (most recent call last):
    ...
    podium.core.errors.ArgumentError: The correction 'shaffer' is for all pairs, not for pairs with a control: use 'holm'.
    """
    chosen = correction(name)
    if test is not None and PAIRWISE[test].corrects_itself:
        raise ArgumentError(f"The test {test!r} corrects for the number of pairs by itself: leave out `correction`.")
    if chosen.all_pairs_only and control:
        raise ArgumentError(f"The correction {name!r} is for all pairs, not for pairs with a control: use 'holm'.")
    return chosen


def load(method: Method | Correction) -> ModuleType:
    """The module that has it, imported now."""
    return importlib.import_module(method.home)


def kernel(method: Method) -> Callable[..., Any]:
    """What it computes: the `kernel` of its module, or the one with its name where tests share a module."""
    home = load(method)
    own: Callable[..., Any] = getattr(home, f"{method.name}_kernel", None) or home.kernel
    return own


def function(method: Method | Correction) -> Callable[..., Any]:
    """Its public function, imported now; an omnibus test may need its `options`."""
    name = method.name if hasattr(load(method), method.name) else method.home.rpartition(".")[2]
    own: Callable[..., Any] = getattr(load(method), name)
    return own
