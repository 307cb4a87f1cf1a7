"""Tests of NCBI Gene."""
