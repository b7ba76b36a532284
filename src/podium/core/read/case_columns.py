"""Which column is what in a table of test cases, and whether a table is one."""

from __future__ import annotations

from dataclasses import dataclass

from podium.core.errors import ArgumentError, DataError
from podium.core.metric import is_cost, known_metric
from podium.core.read.cells import looks_numeric
from podium.core.read.grades import are_grades
from podium.core.read.names import key_of, quoted, shown
from podium.core.read.options import ReadOptions
from podium.core.read.plausible import refuse_cases
from podium.core.read.roles import is_truth, role_of, says_otherwise
from podium.core.read.sheet import Sheet, only_value

# Names of a column of cases that leave no doubt; and those that do only where somebody says that the unit is the case.
CLEAR = frozenset(
    """case cases case_id test_case test_cases test_case_id item items item_id question questions question_id example examples
    example_id instance instance_id doc_id document_id prompt_id query_id qid sample_id""".split()
)
POSSIBLE = frozenset(
    """id task tasks task_id problem problems problem_id index name doc document documents prompt prompts query queries
    question_number instances""".split()
)
SYSTEMS = frozenset("agent llm patch team participant".split())
ROLES: dict[str, frozenset[str]] = {
    "sample": frozenset("sample epoch attempt trial generation sample_index sample_nr".split()),
    "cluster": frozenset("cluster cluster_id group group_id passage passage_id user user_id".split()),
    "benchmark": frozenset("benchmark benchmark_name suite subject category dataset task_name".split()),
    "weight": frozenset("weight weights case_weight sample_weight".split()),
}
_OUTCOMES = frozenset(
    "correct is_correct right acc accuracy exact_match score value outcome result resolved passed".split()
)
# Beside a column of cases these hold several of them each.
DOCUMENTS = frozenset("doc docs document documents document_id doc_id paragraph conversation session patient".split())
_MANY = {"query": "queries"}
_NAMED = ("case", "sample", "cluster", "benchmark", "weight", "cost")  # the roles that an option can name


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseColumns:
    """The column of each role; `values` has the outcomes, of a table that is not long one column per system."""

    values: tuple[int, ...]
    case: int | None = None
    system: int | None = None
    sample: int | None = None
    cluster: int | None = None
    benchmark: int | None = None
    weight: int | None = None
    cost: int | None = None
    ignored: tuple[int, ...] = ()
    is_long: bool = False
    noun: str = "case"
    said: frozenset[int] = frozenset()

    @property
    def nouns(self) -> str:
        """What several cases are called."""
        return plural(self.noun)

    def roles(self) -> dict[int, str]:
        """The role of each column that has one."""
        named = {getattr(self, role): role for role in _NAMED}
        named[self.system] = "algorithm"
        taken = "outcomes" if self.is_long else "outcomes of an algorithm"
        return {place: role for place, role in named.items() if place is not None} | dict.fromkeys(self.values, taken)


def plural(noun: str) -> str:
    """Several of a kind.

    >>> plural("item"), plural("query")
    ('items', 'queries')
    """
    return _MANY.get(noun, f"{noun}s")


def noun_of(name: str) -> str:
    """What one case is called, from the name of their column.

    >>> noun_of("question_id"), noun_of("Items"), noun_of("id"), noun_of("test case")
    ('question', 'item', 'case', 'test case')
    """
    key = key_of(name).removesuffix("_id").removesuffix("_number")
    one = next((noun for noun, many in _MANY.items() if key == many), key.removesuffix("s"))
    nouns = ("test_case", "item", "question", "example", "task", "problem", "document", "prompt", "query", "instance")
    return one.replace("_", " ") if one in nouns else "case"


def looks_like_cases(sheet: Sheet, options: ReadOptions) -> bool:
    """Whether a table is clearly one of test cases: a column of cases and no fold, or nothing but grades for scores."""
    keys = [key_of(name) for name in sheet.header]
    roles = {role_of(name) for name in sheet.header}
    asked = {"rows", "dataset_column", "fold_column", "repeat_column", "seed_column", "family_column", "metric_column"}
    if roles & {"fold", "metric", "family"} or asked & set(options.given):
        return False
    if sum(key in CLEAR for key in keys) == 1:
        return True
    graded = [place for place in range(sheet.n_columns) if are_grades(sheet.column(place))]
    named = any(key in POSSIBLE for key in keys)
    if "algorithm" in roles:
        return bool(graded) and named and not any(known_metric(name, exact=True) for name in sheet.header)
    rest = [name for place, name in enumerate(sheet.header) if place not in graded]
    # Tasks are datasets elsewhere; where each is passed or failed, they are cases.
    return len(graded) > 1 and len(rest) <= 1 and (named or "dataset" not in map(role_of, rest))


def refuse_clear_cases(sheet: Sheet, options: ReadOptions) -> None:
    """Ask where scores over datasets are wanted, and the table is clearly one of test cases."""
    if looks_like_cases(sheet, options):
        named = [name for name in sheet.header if key_of(name) in CLEAR]
        refuse_cases(sheet, f"column {shown(named[0])} names cases" if named else "its scores are passed or failed")


def case_columns(sheet: Sheet, options: ReadOptions, *, single: bool = False) -> CaseColumns:
    """The columns of a table of cases: those that options name, then those whose names say it; the rest is asked.

    A table without a column of algorithms is long where it is of a `single` one.
    """
    said = {role: next(iter(sheet.positions(role, options)), None) for role in _NAMED}
    ignore = set(sheet.positions("ignore", options))
    taken = {place for place in said.values() if place is not None} | ignore
    places = dict(said)
    for role, words in ROLES.items():
        if places[role] is None:
            places[role] = _called(sheet, words, taken)
    if places["benchmark"] is None and (places["case"] is not None or _clear(sheet) - taken):
        places["benchmark"] = _dataset(sheet, taken)
    taken |= {place for place in places.values() if place is not None}
    system = _system(sheet, options, taken | _clear(sheet))
    taken |= set() if system is None else {system}
    is_long = single or system is not None
    if places["case"] is None:
        places, taken = _find_case(sheet, places, taken, options, is_long=is_long)
    if places["cluster"] is None:
        places["cluster"] = _called(sheet, DOCUMENTS, taken)
        taken |= set() if places["cluster"] is None else {places["cluster"]}
    free = [place for place in range(sheet.n_columns) if place not in taken]
    values = _values(sheet, options, free, is_long=is_long)
    if is_long and places["cost"] is None:
        costs = [i for i in free if i not in values and is_cost(sheet.header[i]) and looks_numeric(sheet.column(i))]
        places["cost"] = costs[0] if len(costs) == 1 else None
    elif not is_long and places["cost"] is not None:
        raise ArgumentError(
            "{argument} is for a table with one row per system and case: here one cost would stand for all systems.",
            argument="cost_column",
        )
    used = {*values, *places.values(), system}
    noun = options.case_noun or (noun_of(sheet.header[places["case"]]) if places["case"] is not None else "case")
    return CaseColumns(
        values=values,
        system=system,
        is_long=is_long,
        ignored=tuple(i for i in range(sheet.n_columns) if i not in used and sheet.header[i].strip()),
        noun=noun,
        said=frozenset({*(place for place in said.values() if place is not None), *ignore}),
        **places,
    )


def _called(sheet: Sheet, words: frozenset[str], taken: set[int]) -> int | None:
    return next((i for i, name in enumerate(sheet.header) if key_of(name) in words and i not in taken), None)


def _dataset(sheet: Sheet, taken: set[int]) -> int | None:
    """The column called a dataset, a task, a domain: beside a column of cases it names their benchmarks."""
    free = [(i, name) for i, name in enumerate(sheet.header) if i not in taken | _clear(sheet)]
    return next((i for i, name in free if role_of(name) == "dataset" and not looks_numeric(sheet.column(i))), None)


def _clear(sheet: Sheet) -> set[int]:
    return {place for place, name in enumerate(sheet.header) if key_of(name) in CLEAR}


def _system(sheet: Sheet, options: ReadOptions, taken: set[int]) -> int | None:
    """The column that names the systems; none in a wide table."""
    if options.algorithm_column is not None:
        return sheet.position(options.named("algorithm")[0], "algorithm_column")
    if options.layout == "wide":
        return None
    free = [(place, name) for place, name in enumerate(sheet.header) if place not in taken]
    found = next((place for place, name in free if role_of(name) == "algorithm"), None)
    if found is None:
        found = next((place for place, name in free if key_of(name) in SYSTEMS), None)
    if found is None and options.layout == "long":
        raise DataError(
            f"{sheet.label}: which column names the systems? Give {{algorithm_column}} (the columns are {quoted(sheet.header, 12)})."
        )
    return found


def _find_case(
    sheet: Sheet, places: dict[str, int | None], taken: set[int], options: ReadOptions, *, is_long: bool
) -> tuple[dict[str, int | None], set[int]]:
    """The column of cases by its name; else the one of text; rows of nothing but outcomes are numbered."""
    case = _called(sheet, CLEAR, taken)
    case = _called(sheet, POSSIBLE, taken) if case is None else case
    if case is None and not is_long and 0 not in taken and not sheet.header[0].strip():
        case = 0  # the index of a DataFrame, which has no name
    benchmark = places["benchmark"]
    if case is None and benchmark is not None and options.benchmark_column is None and _differ(sheet, benchmark):
        case, places = benchmark, {**places, "benchmark": None}
    if case is None and not is_long:
        texts = [i for i in range(sheet.n_columns) if i not in taken and not _holds_outcomes(sheet, i)]
        case = texts[0] if len(texts) == 1 and _differ(sheet, texts[0]) else None
        if not texts:
            return places, taken  # the rows are numbered
    if case is None:
        raise DataError(
            f"{sheet.label}: which column names the test cases? Give {{case_column}} (the columns are {quoted(sheet.header, 12)})."
        )
    return {**places, "case": case}, taken | {case}


def _differ(sheet: Sheet, place: int) -> bool:
    names, codes = sheet.codes(place)
    return len(names) == len(codes)


def _holds_outcomes(sheet: Sheet, place: int) -> bool:
    column = sheet.column(place)
    return looks_numeric(column) or are_grades(column) or not column.notna().any()


def _values(sheet: Sheet, options: ReadOptions, free: list[int], *, is_long: bool) -> tuple[int, ...]:
    named = tuple(sheet.positions("value", options))
    if is_long:
        return named[:1] if named else (_value(sheet, free, options),)
    if named:
        return named
    kept = sheet.positions("keep", options)
    free = [place for place in free if sheet.header[place].strip()]
    for place in free:
        if place not in kept:
            _doubt(sheet, place)
    if len(free) < 2:
        raise DataError(f"{sheet.label} has the outcomes of fewer than 2 systems beside its column of cases.")
    return tuple(free)


def _doubt(sheet: Sheet, place: int) -> None:
    """Ask about a column of a wide table that may be no system."""
    name = sheet.header[place]
    few = 5 * sheet.column(place).nunique() <= sheet.n_rows
    if is_truth(name, few_labels=few):
        raise DataError(
            f"Column {shown(name)} of {sheet.label} seems to hold the true labels: give {{truth}} {shown(name)} (and {{metric}}) if the "
            f"others are predictions, or leave it out with {{ignore_column}} {shown(name)}."
        )
    if reason := says_otherwise(name):
        raise DataError(
            f"Column {shown(name)} of {sheet.label} {reason}: is it a system? Leave it out with {{ignore_column}} {shown(name)}, or "
            f"keep it with {{keep_column}} {shown(name)}.",
            column=name,
        )


def _value(sheet: Sheet, free: list[int], options: ReadOptions) -> int:
    """The column of outcomes: the one named, the one called a score, or the only one."""
    if options.metrics and options.metrics[0] in sheet.header:
        return sheet.header.index(options.metrics[0])
    scored = [i for i in free if role_of(sheet.header[i]) == "value" or key_of(sheet.header[i]) in _OUTCOMES]
    plain = [i for i in free if role_of(sheet.header[i]) is None and _holds_outcomes(sheet, i)]
    found = scored or [i for i in plain if not is_cost(sheet.header[i])] or plain
    return only_value(sheet, found, free, "outcomes")
