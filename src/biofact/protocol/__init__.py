"""Fuzzy-to-fact itself: strict lookups and ranked listings, once for every source."""
