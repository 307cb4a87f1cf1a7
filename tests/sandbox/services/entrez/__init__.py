"""Tests of NCBI Gene's stand-ins."""
