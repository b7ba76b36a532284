from .compare import reproduce as reproduce
from .comparison import Comparison as Comparison
from .order import what_if as what_if
from .paper_table import PaperTable as PaperTable
