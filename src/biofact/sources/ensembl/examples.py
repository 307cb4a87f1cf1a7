"""Calls that show what the tools answer, on the starter facts."""

from biofact.core.tool import Example

TP53, BRCA1, TRP53 = "ENSG00000141510", "ENSG00000012048", "ENSMUSG00000059552"

EXAMPLES = (
    Example("search_genes", {"query": "BRCA1"}, shows={"id": BRCA1, "symbol": "BRCA1", "match": "symbol"}),
    Example("search_genes", {"query": "p53", "species": "human"}, shows={"id": TP53, "match": "alias"}),
    Example("search_genes", {"query": "tumor protein"}, shows={"match": "text", "species": "homo_sapiens"}),
    Example("search_genes", {"query": "kinase"}, notices=("ORDER",)),
    Example("search_genes", {"query": "Trp53"}, shows={"id": TRP53, "species": "mus_musculus"}),
    Example("search_genes", {"query": "TP53", "species": "mouse"}, shows={"id": TRP53, "species": "mus_musculus"}),
    Example("search_genes", {"query": "ENST00000269305.9"}, shows={"id": TP53, "match": "id"}),
    Example("search_genes", {"query": "x"}, "AMBIGUOUS_QUERY"),
    Example("search_genes", {"query": "BRCA1", "species": "unicorn"}, "AMBIGUOUS_QUERY"),
    Example("search_genes", {"query": "BRCA1", "cursor": "made-up"}, "AMBIGUOUS_QUERY"),
    Example("get_gene", {"ensembl_id": TP53}, shows={"symbol": "TP53", "chromosome": "17", "assembly_name": "GRCh38"}),
    Example("get_gene", {"ensembl_id": TP53, "slim": True}, shows={"symbol": "TP53"}),
    Example("get_gene", {"ensembl_id": TRP53}, shows={"symbol": "Trp53", "species": "mus_musculus"}),
    Example(
        "get_gene",
        {"ensembl_id": "ENSG00000199004"},
        shows={"symbol": "MIR21", "replaces": "ENSG00000199004"},
        notices=("REPLACED",),
    ),
    Example("get_gene", {"ensembl_id": "ENSG99999999999"}, "ENTITY_NOT_FOUND"),
    Example("get_gene", {"ensembl_id": "BRCA1"}, "UNRESOLVED_ENTITY"),
    Example("get_gene", {"ensembl_id": "ENST00000269305"}, "UNRESOLVED_ENTITY"),
    Example("get_genes_batch", {"ensembl_ids": [BRCA1, TP53, TRP53]}, shows={"symbol": "BRCA1"}),
    Example("get_genes_batch", {"ensembl_ids": [TP53, "TP53"], "slim": False}, shows={"symbol": "TP53"}),
    Example("get_genes_batch", {"ensembl_ids": []}, "AMBIGUOUS_QUERY"),
    Example("get_transcript", {"transcript_id": "ENST00000269305"}, shows={"parent_gene": TP53, "is_canonical": True}),
    Example("get_transcript", {"transcript_id": "ENST99999999999"}, "ENTITY_NOT_FOUND"),
    Example("get_transcript", {"transcript_id": TP53}, "UNRESOLVED_ENTITY"),
    Example("get_sequence", {"id_or_region": "ENST00000269305", "type": "protein"}, shows={"length": 393}),
    Example(
        "get_sequence",
        {"id_or_region": TP53, "type": "cds", "last": 60},
        shows={"transcript": "ENST00000269305", "length": 1182},
        notices=("LIST_CUT", "ASSUMED"),
    ),
    Example("get_sequence", {"id_or_region": "17:7661779-7661800"}, shows={"length": 22, "assembly_name": "GRCh38"}),
    Example("get_sequence", {"id_or_region": "11:101379590-101379600:-1", "species": "mouse"}, shows={"strand": -1}),
    Example("get_sequence", {"id_or_region": "ENST99999999999"}, "ENTITY_NOT_FOUND"),
    Example("get_sequence", {"id_or_region": "TP53"}, "UNRESOLVED_ENTITY"),
    Example(
        "map_region",
        {"region": "17:7577000-7579000", "from_assembly": "GRCh37", "to_assembly": "GRCh38"},
        shows={"mapped_bases": 2001},
    ),
    Example(
        "map_region",
        {"region": "11:69580359-69591873", "from_assembly": "mm10", "to_assembly": "GRCm39"},
        shows={"to_assembly": "GRCm39", "mapped_bases": 11515},
    ),
    Example(
        "map_region",
        {"region": "17:7577000", "from_assembly": "GRCh37", "to_assembly": "hg19"},
        "AMBIGUOUS_QUERY",
    ),
    Example("get_homologues", {"ensembl_id": TP53}, shows={"species": "homo_sapiens"}),
    Example(
        "get_homologues",
        {"ensembl_id": TP53, "target_species": "mouse"},
        shows={"id": TRP53, "type": "ortholog_one2one", "symbol": "Trp53"},
    ),
    Example("get_homologues", {"ensembl_id": TP53, "kind": "one_to_one"}, shows={"id": TRP53}),
    Example("get_homologues", {"ensembl_id": "ENSG99999999999"}, "ENTITY_NOT_FOUND"),
)
