"""Serves the sources' stand-ins on loopback: routes, limits, faults, recordings."""
