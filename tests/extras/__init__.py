"""Tests that need what the default environment leaves out."""
