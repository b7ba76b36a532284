from .comparison import Comparison as Comparison
from .repeat import compare_again as compare_again
