"""ChEMBL."""

PUBLIC_RECORDS = (
    *("Compound", "CompoundSearchCandidate", "TargetSearchCandidate"),
    *("SlimCompound", "SlimCompoundSearchCandidate", "SlimTargetSearchCandidate"),
)
"""What ``biofact`` offers of ``records``, besides the client."""
