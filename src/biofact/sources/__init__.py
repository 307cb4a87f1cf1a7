"""One folder per database; every folder looks the same."""
