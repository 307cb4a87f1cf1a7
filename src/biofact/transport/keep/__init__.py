"""Answers kept for later: the cache and its stores."""
