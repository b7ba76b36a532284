"""Figures: first a layout of plain numbers, then drawn by matplotlib, as TikZ, or as SVG.

Layouts are tested exactly; drawing computes nothing.
Every drawing function takes a result or a layout and an axes.
"""
