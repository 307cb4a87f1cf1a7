"""Tests of the pipeline over corpora."""
