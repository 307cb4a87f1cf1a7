"""Tests of ChEMBL."""
