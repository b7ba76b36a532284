"""Any source becomes evidence: a file, a folder, a DataFrame, another tool's logs.

A source becomes a sheet (files), a plan says which column is what (sniff), cells become numbers or typed
holes (cells), the rows of one layout are made (wide, long, resamples), and `assemble` settles the rest.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
