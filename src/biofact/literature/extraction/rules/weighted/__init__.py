"""What is chosen by weight: each number of an article has signs, and each sign a weight learned from labels.

Candidates (``counts``) and their signs (``count_signs``) are written by hand; the weights are fitted to labelled
abstracts by ``tools/fit_weights.py`` and read from the table beside this file. Pure.
"""
