"""How many attacks: a few in the gate, many in `make attack`, which says so by a variable of the environment."""

import os

ATTACKS = int(os.environ.get("PODIUM_ATTACKS", "0"))
