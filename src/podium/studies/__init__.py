"""Can the test itself be trusted? Replicability, power, dependence on the pool, calibration.

Any test is taken as a callable.
Equal seeds give equal numbers on any number of cores.
"""
