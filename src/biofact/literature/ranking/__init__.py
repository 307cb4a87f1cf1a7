"""Scored articles to a ranking: filters that count what they remove, small boosts, one order. Pure; no numpy."""
