"""Ensembl."""

PUBLIC_RECORDS = ("EnsemblGeneCandidate", "Gene", "Transcript")
"""What ``biofact`` offers of ``records``, besides the client."""
