"""Tests of Ensembl."""
