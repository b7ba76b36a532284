"""The local page, `podium serve`: drop a table, get the report; calculators; the progress of a run.

A request is checked (guarding), a table is looked at before it is read (uploads), everything that computes runs in
processes that may be stopped (workers, tasks), and what was made is kept while the server runs (kept).
"""
