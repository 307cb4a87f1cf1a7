"""Tests of PubMed's stand-ins."""
