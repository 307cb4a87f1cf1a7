"""What NLM's publication types and headings say of the kind of study."""

PUBLICATION_TYPES: dict[str, str] = {
    "Clinical Trial Protocol": "protocol",
    "Randomized Controlled Trial": "randomized controlled trial",
    "Equivalence Trial": "randomized controlled trial",
    "Case Reports": "case report",
    "Meta-Analysis": "meta-analysis",
    "Network Meta-Analysis": "meta-analysis",
    "Systematic Review": "systematic review",
    "Scoping Review": "systematic review",
    "Practice Guideline": "guideline",
    "Guideline": "guideline",
    "Consensus Development Conference": "guideline",
    "Consensus Development Conference, NIH": "guideline",
    "Consensus Statement": "guideline",
    "Editorial": "editorial",
}
CLINICAL_TRIALS = frozenset(
    (
        "Clinical Trial", "Controlled Clinical Trial", "Pragmatic Clinical Trial", "Adaptive Clinical Trial",
        "Clinical Trial, Phase I", "Clinical Trial, Phase II", "Clinical Trial, Phase III", "Clinical Trial, Phase IV",
    )
)  # fmt: skip
DESIGN_HEADINGS: dict[str, str] = {
    "Case-Control Studies": "case-control study",
    "Cross-Sectional Studies": "cross-sectional study",
    "Genome-Wide Association Study": "genetic association study",
    "Cohort Studies": "cohort study",
    "Longitudinal Studies": "cohort study",
    "Qualitative Research": "qualitative study",
}
