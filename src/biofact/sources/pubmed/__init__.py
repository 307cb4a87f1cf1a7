"""PubMed: queries to articles, PMIDs to checked records, and what became of them since."""

PUBLIC_RECORDS = ("CanonicalPubMedArticle",)
"""What ``biofact`` offers of ``records``, besides the client."""
