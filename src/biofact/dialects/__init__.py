"""What two sources speak or read alike: wire protocols, forms of files."""
