from ._examples import example_frame as example_frame
from ._examples import examples as examples
from .options import ReadOptions as ReadOptions
