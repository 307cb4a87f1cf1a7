"""biofact: a fuzzy biomedical name in, a checked fact out."""
