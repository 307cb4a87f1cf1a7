"""Tests of the IGVF Catalog source."""
