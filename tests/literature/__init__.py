"""Tests of the literature pipeline."""
