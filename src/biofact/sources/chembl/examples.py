"""Calls that show what the tools answer, on the starter facts."""

from biofact.core.tool import Example

ASPIRIN, IMATINIB, MESYLATE = "CHEMBL:25", "CHEMBL:941", "CHEMBL:1642"
ERLOTINIB, EGFR = "CHEMBL:553", "CHEMBL:203"
ASPIRIN_SMILES = "CC(=O)Oc1ccccc1C(=O)O"

EXAMPLES = (
    Example("search_compounds", {"query": "aspirin"}, shows={"id": ASPIRIN, "name": "ASPIRIN", "match": "name"}),
    Example("search_compounds", {"query": "Gleevec"}, shows={"id": IMATINIB, "match": "trade_name"}),
    Example("search_compounds", {"query": "imatinib mesylate"}, shows={"id": MESYLATE, "parent": IMATINIB}),
    Example("search_compounds", {"query": "imat"}, shows={"id": IMATINIB, "match": "name"}),
    Example("search_compounds", {"query": "acid"}, shows={"id": ASPIRIN}, notices=("QUERY_UNDERSTOOD",)),
    Example("search_compounds", {"query": "hydrochloride"}),
    Example("search_compounds", {"query": "CHEMBL25"}, shows={"id": ASPIRIN, "match": "id"}),
    Example("search_compounds", {"query": "BSYNRYMUTXBXSQ-UHFFFAOYSA-N"}, shows={"id": ASPIRIN, "match": "structure"}),
    Example("search_compounds", {"query": "x"}, "AMBIGUOUS_QUERY"),
    Example("search_compounds", {"query": "aspirin", "cursor": "made-up"}, "AMBIGUOUS_QUERY"),
    Example("get_compound", {"chembl_id": ASPIRIN}, shows={"name": "ASPIRIN", "molecular_formula": "C9H8O4"}),
    Example("get_compound", {"chembl_id": MESYLATE}, shows={"parent": IMATINIB}),
    Example("get_compound", {"chembl_id": ASPIRIN, "slim": True}, shows={"name": "ASPIRIN"}),
    Example("get_compound", {"chembl_id": "CHEMBL:99999999"}, "ENTITY_NOT_FOUND"),
    Example("get_compound", {"chembl_id": "CHEMBL123"}, "UNRESOLVED_ENTITY"),
    Example("get_compound", {"chembl_id": "aspirin"}, "UNRESOLVED_ENTITY"),
    Example("get_compound", {"chembl_id": EGFR}, "UNRESOLVED_ENTITY"),
    Example("get_compounds_batch", {"chembl_ids": [ASPIRIN, IMATINIB, ERLOTINIB]}, shows={"name": "ASPIRIN"}),
    Example("get_compounds_batch", {"chembl_ids": [IMATINIB, "imatinib"], "slim": False}, shows={"name": "IMATINIB"}),
    Example("get_compounds_batch", {"chembl_ids": []}, "AMBIGUOUS_QUERY"),
    Example("search_targets", {"query": "EGFR"}, shows={"id": EGFR, "match": "symbol"}),
    Example("search_targets", {"query": "human dopamine receptor", "organism": "human"}, shows={"match": "text"}),
    Example("search_targets", {"query": "UniProtKB:P00533"}, shows={"id": EGFR, "match": "id"}),
    Example("search_targets", {"query": "x"}, "AMBIGUOUS_QUERY"),
    Example("search_targets", {"query": "EGFR", "cursor": "made-up"}, "AMBIGUOUS_QUERY"),
    Example(
        "search_structures", {"structure": ASPIRIN_SMILES, "threshold": 90}, shows={"id": ASPIRIN, "match": "structure"}
    ),
    Example("search_structures", {"structure": IMATINIB}, shows={"match": "structure"}),
    Example("search_structures", {"structure": "c1ccccc1", "mode": "substructure"}, shows={"match": "structure"}),
    Example("search_structures", {"structure": "aspirin"}, "UNRESOLVED_ENTITY"),
    Example("search_structures", {"structure": EGFR}, "UNRESOLVED_ENTITY"),
    Example("search_structures", {"structure": "CHEMBL:99999999"}, "ENTITY_NOT_FOUND"),
    Example("get_bioactivities", {"chembl_id": ERLOTINIB}, shows={"molecule": ERLOTINIB}),
    Example("get_bioactivities", {"chembl_id": ERLOTINIB, "target": "UniProtKB:P00533"}, shows={"target": EGFR}),
    Example("get_bioactivities", {"chembl_id": ERLOTINIB, "min_pchembl": 7}, shows={"molecule": ERLOTINIB}),
    Example("get_bioactivities", {"chembl_id": ERLOTINIB, "activity_type": "kd"}, shows={"standard_type": "Kd"}),
    Example(
        "get_bioactivities", {"chembl_id": ERLOTINIB, "assay_type": "functional"}, shows={"assay_type": "functional"}
    ),
    Example("get_bioactivities", {"chembl_id": ERLOTINIB, "assay_type": "in vivo"}, "AMBIGUOUS_QUERY"),
    Example("get_bioactivities", {"chembl_id": "erlotinib"}, "UNRESOLVED_ENTITY"),
    Example("get_bioactivities", {"chembl_id": ERLOTINIB, "target": "EGFR"}, "UNRESOLVED_ENTITY"),
    Example("find_compounds_for_target", {"target_id": "UniProtKB:P00533"}, shows={"evidence": "mechanism"}),
    Example("find_compounds_for_target", {"target_id": EGFR}, shows={"target": EGFR}),
    Example("find_compounds_for_target", {"target_id": EGFR, "min_pchembl": 8}, shows={"evidence": "activity"}),
    Example("find_compounds_for_target", {"target_id": EGFR, "activity_type": "Kd"}, shows={"evidence": "activity"}),
    Example("find_compounds_for_target", {"target_id": EGFR, "assay_type": "binding"}, shows={"evidence": "activity"}),
    Example("find_compounds_for_target", {"target_id": ASPIRIN}, "UNRESOLVED_ENTITY"),
    Example("find_compounds_for_target", {"target_id": "UniProtKB:P99999"}, "ENTITY_NOT_FOUND"),
    Example("find_compounds_for_target", {"target_id": "EGFR"}, "UNRESOLVED_ENTITY"),
)
