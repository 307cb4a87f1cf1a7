"""Requests on their way to a service: wire, retry, single flight, batch."""
