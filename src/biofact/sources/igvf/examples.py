"""Example calls of the tools, with their answers on the starter facts."""

from biofact.core.tool import Example

BRCA1, TP53, TRP53 = "ENSG00000012048", "ENSG00000141510", "ENSMUSG00000059552"
MOUSE_BRCA1 = "ENSMUSG00000017146"
PKU, EYE, LIVER = "MONDO:0009861", "Orphanet:101435", "UBERON:0002107"
PAH_VARIANT, ADAM33_VARIANT = "NC_000012.12:102917129:T:C", "NC_000020.11:3658947:A:G"
NCALD_VARIANT = "NC_000008.11:101557588:G:A"
DUPLICATION = "NC_000017.11:43057062:GGG:GGGG"
CTCF, ASPIRIN = "ENSP00000264010", "PA448497"

EXAMPLES = (
    Example("get_entity", {"id": "BRCA1"}, shows={"id": BRCA1, "_type": "gene", "category": "biolink:Gene"}),
    Example("get_entity", {"id": "TP53"}, shows={"id": TP53, "chromosome": "17", "start": 7661779, "end": 7687546}),
    Example("get_entity", {"id": "p53"}, shows={"id": TP53, "name": "TP53"}, notices=("QUERY_UNDERSTOOD",)),
    Example("get_entity", {"id": "Trp53", "organism": "mouse"}, shows={"id": TRP53, "assembly_name": "GRCm39"}),
    Example("get_entity", {"id": "BRCA1", "organism": "mouse"}, shows={"id": MOUSE_BRCA1, "organism": "mouse"}),
    Example("get_entity", {"id": "rs62513865"}, shows={"chromosome": "8", "start": 100579985, "end": 100579985}),
    Example("get_entity", {"id": "CTCF_HUMAN"}, shows={"id": CTCF, "_type": "protein"}),
    Example("get_entity", {"id": "phenylketonuria"}, shows={"id": PKU, "category": "biolink:Disease"}),
    Example("get_entity", {"id": "aspirin"}, shows={"id": ASPIRIN, "_type": "drug"}),
    Example("get_entity", {"id": "BRCAX", "hint": "gene"}, "ENTITY_NOT_FOUND"),
    Example("get_entity", {"id": "NM_007294.4"}, "UNRESOLVED_ENTITY"),
    Example("get_entity", {"id": "CREB2"}, "AMBIGUOUS_QUERY"),
    Example(
        "search_region",
        {"region": "chr16:20000000", "include": ["variants"]},
        shows={"region": "chr16:20000000-20000000", "assembly_name": "GRCh38"},
    ),
    Example(
        "search_region",
        {"region": "chr8:100579985", "include": ["regulatory_elements"]},
        shows={"region": "chr8:100579985-100579985"},
    ),
    Example(
        "search_region",
        {"region": "8:101,557,589", "include": ["regulatory_elements"]},
        shows={"region": "chr8:101557589-101557589"},
    ),
    Example("search_region", {"region": "17:43.04M-43.13M"}, shows={"region": "chr17:43040000-43130000"}),
    Example("search_region", {"region": "chr11:69M-70M", "organism": "mouse"}, shows={"assembly_name": "GRCm39"}),
    Example(
        "search_region", {"region": "17:43.04M-43.13M", "include": ["variants"], "filters": {"category": "coding"}}
    ),
    Example("search_region", {"region": "chr1-1000-2000"}, "AMBIGUOUS_QUERY"),
    Example(
        "find_associations",
        {"entity_id": PAH_VARIANT, "relationship": "genetic"},
        shows={"object": PKU, "object_name": "phenylketonuria", "statement": "Pathogenic"},
    ),
    Example("find_associations", {"entity_id": "lupus", "relationship": "genetic"}, shows={"study": "GCST003156"}),
    Example("find_associations", {"entity_id": CTCF, "relationship": "structure"}, shows={"object": CTCF}),
    Example(
        "find_associations",
        {"entity_id": "liver", "relationship": "regulatory", "filters": {"method": "eQTL"}},
        shows={"context": "liver", "context_id": LIVER, "method": "eQTL"},
    ),
    Example(
        "find_associations",
        {"entity_id": "BRCA1", "relationship": "regulatory", "filters": {"score": ">0.7"}, "order_by": "-score"},
        shows={"object": BRCA1, "score": 0.95, "region": "chr17:43124801-43126200"},
    ),
    Example(
        "find_associations",
        {
            "entity_id": EYE,
            "relationship": "regulatory",
            "filters": {"method": "eQTL"},
            "order_by": "p_value",
            "limit": 5,
        },
        shows={"subject": "NC_000023.11:18649999:A:G", "object_name": "RS1", "context": "retina"},
    ),
    Example(
        "find_associations",
        {
            "entity_id": BRCA1,
            "relationship": "functional",
            "filters": {"source": "COXPRESdb"},
            "order_by": "z_score",
            "limit": 5,
        },
        shows={"object_name": "APOE", "z_score": -3.4},
    ),
    Example(
        "find_associations",
        {"entity_id": ADAM33_VARIANT, "relationship": "regulatory", "order_by": "p_value"},
        shows={"object_name": "ADAM33", "context": "lung"},
    ),
    Example(
        "find_associations",
        {"entity_id": "rs6994300", "relationship": "regulatory", "filters": {"method": "eQTL"}},
        shows={"subject": NCALD_VARIANT, "object_name": "NCALD", "context": "brain"},
    ),
    Example(
        "find_associations",
        {"entity_id": "BRCA1", "relationship": "regulatory", "filters": {"method": "eQTL"}, "limit": 5},
        shows={"object": BRCA1, "method": "eQTL"},
    ),
    Example(
        "find_associations",
        {"entity_id": "BRCA1", "relationship": "structure", "organism": "mouse"},
        shows={"subject": MOUSE_BRCA1},
    ),
    Example("find_associations", {"entity_id": "BRCAX", "relationship": "regulatory"}, "ENTITY_NOT_FOUND"),
    Example("find_associations", {"entity_id": ASPIRIN, "relationship": "regulatory"}, "AMBIGUOUS_QUERY"),
    Example("find_associations", {"entity_id": "rs62513865", "relationship": "nearest_genes"}),
    Example(
        "find_associations", {"entity_id": "BRCA1", "relationship": "pathway"}, shows={"relationship": "functional"}
    ),
    Example("search_region", {"region": "BRCA1", "include": ["genes"]}, notices=("QUERY_UNDERSTOOD",)),
    Example("search_region", {"region": "17:43.04M-43.13M", "include": ["variants"], "limit": 5}),
    Example("search_terms", {"query": "phenylketonuria"}, shows={"id": PKU, "match": "name"}),
    Example("search_terms", {"query": "PKU", "kind": "disease"}, shows={"id": PKU, "match": "synonym"}),
    Example("search_terms", {"query": "phenylketonurea"}, shows={"id": PKU, "match": "near"}),
    Example("search_terms", {"query": "lupus"}, shows={"match": "synonym"}, notices=("SHARED_MATCH",)),
    Example("search_terms", {"query": "dna repair", "kind": "pathway"}, shows={"id": "R-HSA-73894"}),
    Example("search_terms", {"query": "UBERON:0002107"}, shows={"name": "liver", "match": "id"}),
    Example("search_terms", {"query": "x"}, "AMBIGUOUS_QUERY"),
    Example(
        "resolve_id",
        {"id": "rs80357906", "target_type": "spdi"},
        shows={"entity_type": "variant", "preferred": DUPLICATION},
    ),
    Example("resolve_id", {"id": "HGNC:1100", "target_type": "ensembl"}, shows={"preferred": BRCA1}),
    Example(
        "resolve_id", {"id": "BRCA1", "target_type": "ensembl", "organism": "mouse"}, shows={"preferred": MOUSE_BRCA1}
    ),
    Example("resolve_id", {"id": "rs9999999999"}, "ENTITY_NOT_FOUND"),
    Example("resolve_id", {"id": "BRCA1", "target_type": "spdi"}, "AMBIGUOUS_QUERY"),
    Example(
        "list_sources",
        {"category": "drugs"},
        shows={"name": "pharmGKB", "relationships": ["pharmacological"]},
        is_from_service=False,
    ),
    Example("list_sources", {"category": "weather"}, "AMBIGUOUS_QUERY", is_from_service=False),
)
