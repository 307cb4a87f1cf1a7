"""The Cochrane filter for randomised trials, as published, for PubMed and Ovid. Pure.

Cochrane Highly Sensitive Search Strategy, sensitivity-maximising version: for PubMed the 2008 revision, box 6.4.a of
the Cochrane Handbook 5.1; for Ovid the 2023 revision, in the technical supplement to chapter 4 of the present edition.
The lines are as published strategies quote them (read 2026-11-26).
"""

NAME = "Cochrane filter for randomised trials, sensitivity-maximising version"
SOURCE = (
    "Lefebvre et al., Cochrane Handbook for Systematic Reviews of Interventions: for PubMed the 2008 revision (version"
    " 5.1, box 6.4.a), for Ovid the 2023 revision (technical supplement to chapter 4)"
)
PUBMED = (
    "(randomized controlled trial [pt] OR controlled clinical trial [pt] OR randomized [tiab] OR placebo [tiab]"
    " OR drug therapy [sh] OR randomly [tiab] OR trial [tiab] OR groups [tiab]) NOT (animals [mh] NOT humans [mh])"
)
OVID = (
    "(exp randomized controlled trial/ or controlled clinical trial.pt. or randomized.ab. or placebo.ab."
    " or drug therapy.fs. or randomly.ab. or trial.ab. or groups.ab.) not (exp animals/ not humans.sh.)"
)
FOUND_BY_IT = frozenset({"Randomized Controlled Trial", "Clinical Trial"})
"""Study types that a goal's words name and that the filter stands for."""
