"""NCBI Gene."""

PUBLIC_RECORDS = ("EntrezGene", "GeneRif", "GeneSearchCandidate", "SlimEntrezGene", "SlimGeneSearchCandidate")
"""The records that ``biofact`` exports, besides the client."""
