"""The Cochrane filter for randomised trials, as published, for PubMed and Ovid. Pure.

Cochrane Highly Sensitive Search Strategy, sensitivity-maximising version (2008 revision): Cochrane Handbook 5.1,
6.4.11.1, boxes 6.4.a and 6.4.c (https://handbook-5-1.cochrane.org/chapter_6/, read 2026-11-26).
"""

NAME = "Cochrane filter for randomised trials, sensitivity-maximising, 2008 revision"
SOURCE = (
    "Lefebvre et al., Cochrane Handbook for Systematic Reviews of Interventions 5.1, boxes 6.4.a (PubMed), 6.4.c (Ovid)"
)
PUBMED = (
    "(randomized controlled trial [pt] OR controlled clinical trial [pt] OR randomized [tiab] OR placebo [tiab]"
    " OR drug therapy [sh] OR randomly [tiab] OR trial [tiab] OR groups [tiab]) NOT (animals [mh] NOT humans [mh])"
)
OVID = (
    "(randomized controlled trial.pt. or controlled clinical trial.pt. or randomized.ab. or placebo.ab."
    " or drug therapy.fs. or randomly.ab. or trial.ab. or groups.ab.) not (exp animals/ not humans.sh.)"
)
FOUND_BY_IT = frozenset({"Randomized Controlled Trial", "Clinical Trial"})
"""Study types that a goal's words name and that the filter stands for."""
