"""Calls that show what the tools answer, on the starter rows: the docs print them, the conformance suite runs them."""

from biofact.core.tool import Example

BRCA1, BRCA2, TP53, ABSENT = "ACME:1001", "ACME:1002", "ACME:1003", "ACME:9999999"

EXAMPLES = (
    Example("search_entries", {"query": "BRCA1"}, shows={"id": BRCA1, "match": "symbol", "score": 1}),
    Example("search_entries", {"query": "p53"}, shows={"id": TP53, "match": "alias"}),
    Example("search_entries", {"query": "receptor"}, shows={"match": "text"}),
    Example("search_entries", {"query": "DNA repair associated"}, shows={"match": "text"}),
    Example("search_entries", {"query": "acme 1001"}, shows={"id": BRCA1, "match": "id"}),
    Example("search_entries", {"query": "BRCA1", "cursor": "damaged"}, "AMBIGUOUS_QUERY"),
    Example("get_entry", {"acme_id": BRCA1}, shows={"id": BRCA1, "symbol": "BRCA1"}),
    Example("get_entry", {"acme_id": ABSENT}, "ENTITY_NOT_FOUND"),
    Example("get_entry", {"acme_id": "acme1001"}, "UNRESOLVED_ENTITY"),
    Example("get_entries_batch", {"acme_ids": [BRCA1, TP53, BRCA2]}, shows={"id": BRCA1, "symbol": "BRCA1"}),
    Example("get_entries_batch", {"acme_ids": []}, "AMBIGUOUS_QUERY"),
)
