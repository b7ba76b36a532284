from ._case_overview import CaseOverview as CaseOverview
from ._case_overview import PredictionOverview as PredictionOverview
from ._overview import Overview as Overview
from ._overview import overview as overview
from ._run_overview import RunOverview as RunOverview
