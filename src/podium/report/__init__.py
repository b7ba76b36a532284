"""A document of blocks, rendered to text, Markdown, LaTeX, HTML and JSON.

The bibliography lives here, so that a report cites itself.
Showing never computes a statistic.
"""
