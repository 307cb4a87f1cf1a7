"""Tests of Ensembl's stand-ins."""
