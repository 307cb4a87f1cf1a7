"""Acme's side of the wire."""
