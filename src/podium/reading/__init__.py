"""Any source becomes evidence: a file, a folder, a DataFrame, another tool's logs.

A source becomes a sheet (`formats`) or finished evidence (`logs`). The columns of a sheet are looked at once (`columns`); candidates
with what speaks for and against them say what the table is (`recognise`), and every shape places every role (`shapes`); what is
implausible is asked about (`judge`). Cells become numbers or typed holes (`cells`, `grades`), and rows the repeats and folds of a
cell (`replicates`); `build` makes blocks of scores of any layout, and `assemble` results of blocks.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
