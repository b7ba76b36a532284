from ._overview import overview as overview
