"""The IGVF Catalog."""

PUBLIC_RECORDS = (
    *("Association", "CodingVariantEntity", "ComplexEntity", "DatasetEntity", "DrugEntity", "ElementEntity", "Entity"),
    *("FullAssociation", "GeneEntity", "MotifEntity", "PathwayEntity", "ProteinEntity", "RegionContents", "ResolvedId"),
    *("SlimTermCandidate", "SourceDescription", "StudyEntity", "TermCandidate", "TermEntity", "TranscriptEntity"),
    "VariantEntity",
)
"""What ``biofact`` offers of ``records``, besides the client."""
