"""Tests of all algorithms at once: does any of them differ?

Friedman, analysis of variance, Quade, aligned ranks, Skillings-Mack (tables with holes).
A table is datasets x algorithms.
"""
