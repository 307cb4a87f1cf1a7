"""ChEMBL."""

PUBLIC_RECORDS = ("Compound", "CompoundSearchCandidate", "TargetSearchCandidate")
"""What ``biofact`` offers of ``records``, besides the client."""
