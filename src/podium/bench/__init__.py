"""Makes the scores: plan, splits, search, learners, datasets, guard, store, engines.

Every outcome of a task is a row; running again resumes.
Knows no statistics.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
