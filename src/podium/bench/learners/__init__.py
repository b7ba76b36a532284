"""Learners: the 14 algorithms of Wainer (2016), the eight of Ulas et al. (2008), and what scikit-learn lacks.

`catalog` says which class each is, and its search space. Every estimator here is scikit-learn compatible.
"""
