"""Tests of the stand-ins, by database."""
