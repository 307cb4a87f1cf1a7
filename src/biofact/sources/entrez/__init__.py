"""NCBI Gene."""

PUBLIC_RECORDS = ("EntrezGene", "GeneSearchCandidate")
"""What ``biofact`` offers of ``records``, besides the client."""
