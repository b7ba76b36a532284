"""The functions that people know from other packages, under the same names, with the numbers of Podium.

One module per package: change the import, keep the code. What goes in and what comes out has the package's own shape;
where its numbers are wrong, these are right, and a warning says once what differs.
"""

# The modules are imported by name, as those of the packages that they stand for: from podium.compat.baycomp import two_on_multiple.
__all__: list[str] = []
