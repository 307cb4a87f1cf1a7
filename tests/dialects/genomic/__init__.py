"""The tests of genomic notation."""
