from . import bayes as bayes
from . import bench as bench
from . import chance as chance
from . import ordering as ordering
from . import plot as plot
from . import stats as stats
from . import studies as studies
from .bench.runner import run as run
from .comparison.compare import compare as compare
from .core._examples import example as example
from .core.design import Design as Design
from .core.errors import ArgumentError as ArgumentError
from .core.errors import DataError as DataError
from .core.errors import DesignError as DesignError
from .core.errors import MissingPackageError as MissingPackageError
from .core.errors import PodiumError as PodiumError
from .core.errors import StoreError as StoreError
from .core.metric import Metric as Metric
from .core.read.reader import read as read
from .core.results import Results as Results
from .core.scores import Scores as Scores
from .core.table import Table as Table
from .ordering.order import order as order
from .report.methods import cite as cite
from .report.methods import explain as explain

__version__: str
