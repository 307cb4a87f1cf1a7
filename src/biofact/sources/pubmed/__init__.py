"""PubMed: queries to articles, PMIDs to checked records, and what became of them since."""
