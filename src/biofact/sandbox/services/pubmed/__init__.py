"""PubMed's side of the wire, with MeSH's and iCite's, from facts written for the purpose."""
