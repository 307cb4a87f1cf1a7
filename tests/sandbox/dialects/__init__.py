"""Tests of the protocols that several stand-ins share."""
