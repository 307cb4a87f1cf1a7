"""Acme."""

PUBLIC_RECORDS = ("AcmeEntry", "AcmeCandidate")
"""What ``biofact`` offers of ``records``, besides the client."""
