"""Costs as people type them into a form."""

from __future__ import annotations

from podium.core.errors import ArgumentError

__all__ = ["parsed_costs"]


def parsed_costs(text: str) -> dict[str, float] | list[str]:
    """Costs as people type them.

    >>> parsed_costs("svm=3, knn=1"), parsed_costs("knn, svm")
    ({'svm': 3.0, 'knn': 1.0}, ['knn', 'svm'])
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not any("=" in part for part in parts):
        return parts
    costs = {}
    for part in parts:
        name, equals, number = part.rpartition("=")
        try:
            costs[name.strip()] = float(number)
        except ValueError:
            equals = ""
        if not equals:
            raise ArgumentError(f"Costs must look like svm=3, knn=1, or name algorithms, cheapest first; got {part!r}.")
    return costs
