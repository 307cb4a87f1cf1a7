"""Quotas of callers, and the Redis that replicas share, in virtual time."""
