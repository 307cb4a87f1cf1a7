"""NCBI Gene's side of the wire, from facts written for the purpose or recorded ones."""
