"""What callers write, read: identifiers, variants and regions. Pure."""
