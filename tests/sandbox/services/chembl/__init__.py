"""Tests of ChEMBL's stand-ins."""
