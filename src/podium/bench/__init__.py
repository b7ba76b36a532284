"""Makes the scores: plan, splits, search, learners, datasets, guard, store, engines.

Every outcome of a task is a row; running again resumes.
Knows no statistics.
"""
