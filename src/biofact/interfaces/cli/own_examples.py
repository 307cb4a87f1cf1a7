"""Command lines that show the commands of no tool, by hand: each works as it stands, on the sandbox too."""

EXAMPLES: dict[str, tuple[str, ...]] = {
    "resolve": ('biofact resolve BRCA1 p53 "no such gene"', "biofact resolve wg Trp53 --kind gene --organism mouse"),
    "find": ("biofact find which drugs hit EGFR", 'biofact find "protein sequence of BRCA2" --top 1'),
    "literature review": ('biofact literature review "Does metformin prevent diabetes?" -o metformin',),
    "literature train": ("biofact literature train screening --labels labels.csv",),
    "corpus plan": (
        "biofact corpus plan trials --sandbox",
        "biofact corpus plan medline --input pubmed26n*.xml.gz --parts 200",
    ),
    "corpus run": ("biofact corpus run trials", "biofact corpus run trials --part 3/8"),
    "corpus status": ("biofact corpus status trials",),
    "corpus rank": ("biofact corpus rank trials --top 100 --from-year 2015",),
    "corpus report": ("biofact corpus report trials",),
    "corpus retry": ("biofact corpus retry trials",),
    "serve": ("biofact serve", "biofact serve entrez --http 127.0.0.1:8000"),
    "install": ("biofact install --client claude-desktop --print", "biofact install --client json"),
    "token": ("biofact token add alice", "biofact token add course --scope entrez --scope pubmed --days 90"),
    "sandbox": ("biofact sandbox --port 0",),
    "demo": ("biofact demo",),
    "doctor": ("biofact doctor",),
    "cache": ("biofact cache stats",),
    "completion": ("source <(biofact completion bash)", "biofact completion fish"),
}
