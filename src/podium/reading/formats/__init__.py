"""One file per format: from a path or an object to a `Sheet` of cells, or to finished `Results`.

The registry lists them. A reader takes the source and the options of reading; a `Sheet` is then recognised by
`sniff`, and what cannot be understood is a `DataError` with the cure.
"""
