"""A server that others reach over HTTP: where it listens, whom it lets in, what it says of itself."""
