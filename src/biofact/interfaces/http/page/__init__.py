"""A page for people at the root of a gateway: what it is, how it stands, and a form to try each tool."""
