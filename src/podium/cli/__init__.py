"""The command line: one file per command.

A command reads, calls one function of a room, and shows its result.
Heavy rooms load inside the command that needs them.
"""
