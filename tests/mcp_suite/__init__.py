"""What the official conformance suite of MCP expects to find on a server, offered by ours.

Names, words and shapes are those of the suite (npm ``@modelcontextprotocol/conformance``), read in what it installs.
Nothing of it is shipped; what is tested with it is the server around it. docs/conformance.md tells the rest.
"""
