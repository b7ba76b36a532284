"""rliable: `library` with interval estimates and performance profiles, and `metrics` with the aggregates.

Write `from podium.compat.rliable import library as rly, metrics` and keep the rest.
The intervals hold with 3 to 5 runs, and known aggregates need no resampling.
"""
