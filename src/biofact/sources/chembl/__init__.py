"""ChEMBL."""

PUBLIC_RECORDS = (
    *("Compound", "CompoundSearchCandidate", "TargetSearchCandidate"),
    *("SlimCompound", "SlimCompoundSearchCandidate", "SlimTargetSearchCandidate"),
)
"""The records that ``biofact`` exports besides the client."""
