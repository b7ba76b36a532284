"""What is compared: results, scores, tables, test cases, predictions and runs, as named arrays.

Each says what it holds before any test (`overview`); missing cells keep their cause.
Reads no file and computes no test.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
