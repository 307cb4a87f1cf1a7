"""Bytes from a service, politely. Knows services, never genes."""
