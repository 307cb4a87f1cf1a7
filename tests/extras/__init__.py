"""Tests that need more than the default environment."""
