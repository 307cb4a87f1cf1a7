"""Protocols and formats of several services, seen from their side: E-utilities, gene_info files."""
