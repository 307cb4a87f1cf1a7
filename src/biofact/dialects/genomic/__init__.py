"""Genomic notation as any service may read it: assemblies, regions, SPDI, HGVS and VCF spellings of variants. Pure."""
