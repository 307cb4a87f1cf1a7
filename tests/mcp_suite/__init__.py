"""Tools, prompts and resources that the official conformance suite of MCP expects on a server.

Names, words and shapes are those of the suite (npm ``@modelcontextprotocol/conformance``), read in its package.
Nothing of it is shipped; it tests the server around these tools. docs/conformance.md describes the rest.
"""
