from .compare import compare_again as compare_again
from .comparison import Comparison as Comparison
