"""Calls that show what the tools answer, on the starter facts."""

from biofact.core.tool import Example

EXAMPLES = (
    Example("pubmed_search", {"search_query": "gut microbiome mental health"}),
    Example(
        "pubmed_search",
        {
            "search_query": '"Machine Learning"[MeSH Terms] AND diagnosis[tiab]',
            "sort_order": "date",
            "date_range": {"start_date": "2020/01/01"},
            "slim": True,
        },
    ),
    Example("pubmed_search", {"search_query": "metformin", "article_types": ["Clinical Trial"], "fields": ["mesh"]}),
    Example("pubmed_search", {"search_query": "metformin", "date_range": {"end_date": "2003/12/31"}}),
    Example("pubmed_search", {"search_query": "(metformin"}, "AMBIGUOUS_QUERY"),
    Example("pubmed_search", {"search_query": "metformin", "fields": ["impact"]}, "AMBIGUOUS_QUERY"),
    Example("pubmed_get_articles", {"pmids": ["PMID:11832527", "PMID:99000022", "PMID:9500320"]}, shows={"year": 2002}),
    Example("pubmed_get_articles", {"pmids": ["11832527", "PMID:999999999"], "slim": True}, shows={"year": 2002}),
    Example("pubmed_get_articles", {"pmids": []}, "AMBIGUOUS_QUERY"),
)
