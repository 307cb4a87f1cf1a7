"""Ensembl."""

PUBLIC_RECORDS = ("BiologicalSequence", "EnsemblGeneCandidate", "Gene", "Homologue", "RegionMapping", "Transcript")
"""What ``biofact`` offers of ``records``, besides the client."""
