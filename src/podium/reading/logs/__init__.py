"""Logs: the files that other tools write, read as they are.

`find` knows them by their content, a reader in `formats/` gives records, `choose` takes one question, `build` makes cases.
"""
