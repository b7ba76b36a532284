from ._multi2test import multi2test as multi2test
from ._multi2test import what_if as what_if
from ._multitest import multitest as multitest
from ._multitest import order_from_decisions as order_from_decisions
from .costs import as_costs as as_costs
from .costs import combine_costs as combine_costs
