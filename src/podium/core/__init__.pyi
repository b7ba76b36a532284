from ._examples import example_frame as example_frame
from ._examples import examples as examples
from ._overview import overview as overview
from .ranks import rank_rows as rank_rows
