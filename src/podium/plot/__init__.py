"""Figures: first a layout of plain numbers, then drawn by matplotlib, as TikZ, or as SVG.

Layouts are tested exactly; drawing computes nothing.
Every drawing function takes a result or a layout and an axes.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
