"""NCBI Gene."""

PUBLIC_RECORDS = ("EntrezGene", "GeneRif", "GeneSearchCandidate")
"""What ``biofact`` offers of ``records``, besides the client."""
