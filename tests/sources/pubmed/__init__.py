"""Tests of PubMed."""
