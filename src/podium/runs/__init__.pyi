from ._aggregates import aggregates as aggregates
from ._all_pairs import all_pairs as all_pairs
from ._normalise import atari_scores as atari_scores
from ._normalise import normalise as normalise
from ._profiles import profiles as profiles
from .variance import variance_split as variance_split
