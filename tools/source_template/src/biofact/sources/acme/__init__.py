"""Acme."""

PUBLIC_RECORDS = ("AcmeEntry", "AcmeCandidate", "SlimAcmeEntry", "SlimAcmeCandidate")
"""What ``biofact`` offers of ``records``, besides the client."""
