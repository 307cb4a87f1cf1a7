"""Calls that show the tools."""

from biofact.core.tool import Example

EXAMPLES = (
    Example(
        "resolve",
        {"names": ["BRCA1", "p53", "no such gene"]},
        shows={
            "name": "BRCA1",
            "entities": [
                {"id": "NCBIGene:672", "score": 1, "match": "symbol", "ids": {"ensembl": "ENSG00000012048.26"}}
            ],
        },
        notices=("ASSUMED",),
    ),
    Example("resolve", {"names": ["wg", "Trp53"], "kind": "gene", "organism": "fruit fly"}),
    Example("resolve", {"names": ["TP53", ""]}),
    Example("resolve", {"names": ["4-Oct", "NA"]}, notices=("ASSUMED",)),
    Example("resolve", {"names": []}, outcome="AMBIGUOUS_QUERY"),
    Example("resolve", {"names": ["TP53"], "kind": "planet"}, outcome="AMBIGUOUS_QUERY"),
    Example(
        "check_identity",
        {"id": "NCBIGene:672"},
        shows={"label": "BRCA1", "kind": "gene", "organism": "Homo sapiens"},
    ),
    Example("check_identity", {"id": "CHEMBL:25", "expect_label": "aspirin"}),
    Example("check_identity", {"id": "NCBIGene:672", "other_id": "ENSG00000012048"}, shows={"same": True}),
    Example("check_identity", {"id": "CHEMBL:1642", "other_id": "CHEMBL:941"}, shows={"same": False}),
    Example("check_identity", {"id": "NCBIGene:672", "other_id": "BRCA1"}, outcome="UNRESOLVED_ENTITY"),
    Example("check_identity", {"id": "NCBIGene:999999999"}, outcome="ENTITY_NOT_FOUND"),
    Example("check_identity", {"id": "BRCA1"}, outcome="UNRESOLVED_ENTITY"),
)
