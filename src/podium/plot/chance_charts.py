"""The charts of `podium chance chart` and of the page: one function for the four kinds."""

from __future__ import annotations

from collections.abc import Callable

from podium.core import check
from podium.core.errors import ArgumentError
from podium.plot.figure import Figure


def draw(
    kind: str,
    metrics: list[str] | None,
    positives: int,
    negatives: int,
    competitors: int,
    alpha: float,
    score: float | None,
    progress: Callable[[int, int], None] | None = None,
) -> Figure:
    """A figure of one of the four kinds."""
    from podium.plot import chance as figures

    check.choice("kind", kind, ("surface", "contours", "cdf", "competitors"))
    metrics = metrics or []
    metric = metrics[0] if metrics else "auc"
    if kind == "cdf":
        from podium.chance.distributions import null_curve
        from podium.chance.registry import usual

        names = metrics or usual("curves")
        curves = [null_curve(name, positives=positives, negatives=negatives) for name in names]
        return figures.chance_cdfs(curves, level=1 - check.fraction("alpha", alpha))
    if len(metrics) > 1:
        raise ArgumentError(f"A chart of kind {kind!r} shows one metric; got {len(metrics)}.")
    if kind == "competitors":
        from podium.planning.positives import plan_competitors

        curve = plan_competitors(metric, positives=positives, negatives=negatives, alpha=alpha, score=score)
        return figures.chance_competitors(curve)
    from podium.chance.tables import critical_table

    table = critical_table(
        metric,
        positives=_sizes("positives", positives),
        negatives=_sizes("negatives", negatives),
        competitors=[competitors],
        alphas=[alpha],
        progress=progress,
    )
    return figures.chance_surface(table) if kind == "surface" else figures.chance_contours(table)


def _sizes(name: str, most: int) -> list[int]:
    """About forty sizes up to the most, closer together where they are few and the surface is steep."""
    most = check.count(name, most, at_least=10, at_most=10_000)
    first = max(2, most // 100)
    return sorted({first + round((most - first) * (i / 39) ** 1.5) for i in range(40)})
