"""Tests of the corpus pipeline."""
