"""The IGVF Catalog."""

PUBLIC_RECORDS = (
    *("Association", "CodingVariantEntity", "ComplexEntity", "DatasetEntity", "DrugEntity", "ElementEntity", "Entity"),
    *("FullAssociation", "GeneEntity", "MotifEntity", "PathwayEntity", "ProteinEntity", "RegionContents", "ResolvedId"),
    *("SlimTermCandidate", "SourceDescription", "StudyEntity", "TermCandidate", "TermEntity", "TranscriptEntity"),
    "VariantEntity",
)
"""The records that ``biofact`` exports, besides the client."""
