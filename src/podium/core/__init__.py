"""The words everything else is said in: results, scores, tables, metrics, designs, ranks.

Reads files into a long table and turns it into named arrays; checks what users give.
Computes no test and shows nothing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
