"""The words everything else is said in: results, scores, tables, metrics, designs, ranks.

Reads files into a long table and turns it into named arrays; checks what users give.
Computes no test and shows nothing.
"""
