"""Ensembl."""

PUBLIC_RECORDS = (
    *("BiologicalSequence", "EnsemblGeneCandidate", "Gene", "Homologue", "RegionMapping", "Transcript"),
    *("SlimEnsemblGeneCandidate", "SlimGene", "SlimTranscript"),
)
"""What ``biofact`` offers of ``records``, besides the client."""
