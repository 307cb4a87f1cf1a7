"""The version of biofact."""

__version__ = "0.1.0"
