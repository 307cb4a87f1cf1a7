"""NCBI Gene."""

PUBLIC_RECORDS = ("EntrezGene", "GeneRif", "GeneSearchCandidate", "SlimEntrezGene", "SlimGeneSearchCandidate")
"""What ``biofact`` offers of ``records``, besides the client."""
