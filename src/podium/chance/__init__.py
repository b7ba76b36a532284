"""Is the winner better than the best of C random classifiers? Exact null distributions.

Critical values and p-values of AUC, accuracy, F and others for random rankings.
Grids, planning, and simulation for any other metric.
"""
