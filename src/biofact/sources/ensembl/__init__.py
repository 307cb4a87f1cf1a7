"""Ensembl."""
