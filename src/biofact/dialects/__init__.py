"""Wire protocols that two sources speak."""
