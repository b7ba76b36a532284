"""Agents on tasks, run several times with other seeds: aggregates, profiles, pairs, and how many runs are needed.

The tasks are taken as they are and the runs as repeats, so that intervals are stratified by task.
Runs of two agents are independent of each other unless somebody says that they are paired by seed.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
