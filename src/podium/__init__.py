"""Podium: which machine-learning algorithms really deserve the podium?

Scores of algorithms on datasets in, an honest verdict out: `podium.compare(podium.read("scores.csv"))`. The verbs are
here; every test, model, figure and study is in its module (`podium.stats.wilcoxon`). Names load when first used, so
that `import podium` is instant.
"""

import lazy_loader

from podium.core.version import VERSION as __version__  # noqa: F401  (the name that people ask for)

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
