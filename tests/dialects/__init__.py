"""The tests of the wire protocols."""
