"""Acme."""

PUBLIC_RECORDS = ("AcmeEntry", "AcmeCandidate", "SlimAcmeEntry", "SlimAcmeCandidate")
"""The names of ``records`` that ``biofact`` offers, besides the client."""
