"""What several services speak or are written in, seen from their side: E-utilities, gene_info files, starter facts."""
