"""Calls that show what the tools answer, on the starter facts."""

from biofact.core.tool import Example

EXAMPLES = (
    Example("search_genes", {"query": "BRCA1"}, shows={"id": "NCBIGene:672", "symbol": "BRCA1", "match": "symbol"}),
    Example("search_genes", {"query": "p53", "organism": "human"}, shows={"id": "NCBIGene:7157", "match": "alias"}),
    Example("search_genes", {"query": "BRCA1[sym]"}, shows={"symbol": "BRCA1"}),
    Example("search_genes", {"query": "tumor protein"}, shows={"id": "NCBIGene:7157", "match": "text"}),
    Example("search_genes", {"query": "kinase"}, notices=("LIST_CUT",)),
    Example("search_genes", {"query": "Trp53"}, shows={"id": "NCBIGene:22059", "organism": "Mus musculus"}),
    Example("search_genes", {"query": "TP53", "organism": "mouse"}, shows={"id": "NCBIGene:22059"}),
    Example("search_genes", {"query": "x"}, "AMBIGUOUS_QUERY"),
    Example("search_genes", {"query": "BRCA1", "organism": "unicorn"}, "AMBIGUOUS_QUERY"),
    Example("search_genes", {"query": "BRCA1", "cursor": "made-up"}, "AMBIGUOUS_QUERY"),
    Example("get_gene", {"entrez_id": "NCBIGene:672"}, shows={"id": "NCBIGene:672", "symbol": "BRCA1"}),
    Example("get_gene", {"entrez_id": "NCBIGene:672", "slim": True}, shows={"symbol": "BRCA1"}),
    Example(
        "get_gene",
        {"entrez_id": "NCBIGene:9606"},
        shows={"id": "NCBIGene:8666", "replaces": "NCBIGene:9606"},
        notices=("REPLACED",),
    ),
    Example("get_gene", {"entrez_id": "NCBIGene:544580"}, "ENTITY_NOT_FOUND"),
    Example("get_gene", {"entrez_id": "NCBIGene:999999999"}, "ENTITY_NOT_FOUND"),
    Example("get_gene", {"entrez_id": "BRCA1"}, "UNRESOLVED_ENTITY"),
    Example(
        "get_genes_batch",
        {"entrez_ids": ["NCBIGene:672", "NCBIGene:7157", "NCBIGene:22059"]},
        shows={"symbol": "BRCA1"},
    ),
    Example("get_genes_batch", {"entrez_ids": ["NCBIGene:7157", "TP53"], "slim": False}, shows={"symbol": "TP53"}),
    Example("get_genes_batch", {"entrez_ids": []}, "AMBIGUOUS_QUERY"),
    Example("get_generifs", {"entrez_id": "NCBIGene:7157"}, shows={"pmids": ["PMID:99000145"]}, notices=("ORDER",)),
    Example("get_generifs", {"entrez_id": "NCBIGene:4747", "page_size": 2}, notices=("ORDER",)),
    Example("get_generifs", {"entrez_id": "NCBIGene:999999999"}, "ENTITY_NOT_FOUND"),
    Example("get_generifs", {"entrez_id": "TP53"}, "UNRESOLVED_ENTITY"),
    Example("get_pubmed_links", {"entrez_id": "NCBIGene:672", "limit": 5}, notices=("ORDER",)),
    Example(
        "get_pubmed_links",
        {"entrez_id": "NCBIGene:12189", "titles": True},
        notices=("ORDER",),
    ),
    Example("get_pubmed_links", {"entrez_id": "NCBIGene:7157"}, notices=("ORDER",)),
    Example("get_pubmed_links", {"entrez_id": "NCBIGene:999999999"}, "ENTITY_NOT_FOUND"),
    Example("get_pubmed_links", {"entrez_id": "672"}, "UNRESOLVED_ENTITY"),
)
