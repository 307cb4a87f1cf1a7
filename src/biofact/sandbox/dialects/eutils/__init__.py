"""The service's side of E-utilities: NCBI's answers over a database that a source stands in for."""
