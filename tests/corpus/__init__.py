"""Tests of runs over a corpus."""
