"""ChEMBL."""

PUBLIC_RECORDS = ("Compound", "CompoundSearchCandidate")
"""What ``biofact`` offers of ``records``, besides the client."""
