"""Readers that survive real files: any table of scores becomes `Results`.

A source becomes a sheet (files), a plan says which column is what (sniff), cells become numbers or typed
holes (cells), the rows of one layout are made (wide, long, resamples), and `assemble` settles the rest.
"""
