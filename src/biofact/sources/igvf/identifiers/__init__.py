"""Reads callers' texts: identifiers, variants and regions. Pure."""
