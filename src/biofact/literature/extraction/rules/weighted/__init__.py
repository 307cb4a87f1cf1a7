"""What is chosen by weight: all that an article could mean has signs, and each sign a weight learned from labels.

Candidates (``spans``, ``counts``) and their signs (``span_signs``, ``count_signs``) are written by hand; the weights
are fitted to labelled abstracts by ``tools/fit_weights.py`` and read from the tables beside this file. Pure.
"""
