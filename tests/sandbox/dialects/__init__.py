"""Tests of what several stand-ins speak."""
