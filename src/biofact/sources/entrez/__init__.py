"""NCBI Gene."""
