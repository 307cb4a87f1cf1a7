"""ChEMBL."""
