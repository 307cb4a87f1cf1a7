"""Ensembl."""

PUBLIC_RECORDS = (
    *("BiologicalSequence", "EnsemblGeneCandidate", "Gene", "Homologue", "RegionMapping", "Transcript"),
    *("SlimEnsemblGeneCandidate", "SlimGene", "SlimTranscript"),
)
"""The records that ``biofact`` exports, besides the client."""
