"""The ways in: MCP servers, command line, library. Errors become envelopes here and nowhere else."""
