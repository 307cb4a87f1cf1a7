"""What a host starts: the MCP server on standard input and output; further words are options of ``biofact serve``."""

import sys

from biofact.__main__ import main

if __name__ == "__main__":  # the server starts other processes for long work, and they read this file again
    sys.argv[1:] = ["serve", *sys.argv[1:]]
    sys.exit(main())
