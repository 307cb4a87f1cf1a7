"""Calls that no schema permits get an answer or an honest refusal; ``make fuzz`` sends a hundred thousand."""

import asyncio
from collections import Counter

import pytest
from benchmarks.fuzz import CODES, FuzzCall, Log, call_directly, defect, fuzz, sandboxed
from benchmarks.fuzz_calls import draw_call, pool

from biofact.core.tool import specs_of
from biofact.interfaces import every_source

pytestmark = pytest.mark.quick

SEED = 7
FEW_CALLS, CALLS, CALLS_BY_CLIENT = 120, 1500, 150
ARTICLE = {"item_id": "PMID:99000022", "extraction": {"sample_size": 12}}
SCORED_ARTICLE = {"item_id": "PMID:99000022", "total_score": 0.5}


def nested(levels):
    value = "x"
    for _ in range(levels):
        value = {"a": [value]}
    return value


WORST = (
    ("pubmed.pubmed_score_articles", {"articles_with_features": [{**ARTICLE, "extraction": {"a": 10**30}}]}),
    ("pubmed.pubmed_score_articles", {"articles_with_features": [{**ARTICLE, "extraction": {"a": 10**400}}]}),
    ("pubmed.pubmed_score_articles", {"articles_with_features": [{**ARTICLE, "extraction": {"a": "\ud83d"}}]}),
    ("pubmed.pubmed_score_articles", {"articles_with_features": [{**ARTICLE, "original_article": {"id": 1}}]}),
    ("pubmed.pubmed_score_articles", {"articles_with_features": [{**ARTICLE, "surprise": 1}]}),
    ("pubmed.pubmed_score_articles", {"articles_with_features": [{**ARTICLE, "extraction_metadata": "x"}]}),
    ("pubmed.pubmed_score_articles", {"articles_with_features": [nested(400)]}),
    ("pubmed.pubmed_score_articles", {"scoring_criteria": {"weights": {"\ud800": 10**400}}}),
    ("pubmed.pubmed_filter_rank", {"scored_articles": [{**SCORED_ARTICLE, "total_score": 10**400}]}),
    ("pubmed.pubmed_filter_rank", {"scored_articles": [{**SCORED_ARTICLE, "article_with_features": "x"}]}),
    ("pubmed.pubmed_filter_rank", {"scored_articles": [{**SCORED_ARTICLE, "original_article": [1]}]}),
    ("pubmed.pubmed_filter_rank", {"scored_articles": [SCORED_ARTICLE], "filters": {"from_year": 10**400}}),
    ("pubmed.pubmed_filter_rank", {"scored_articles": [SCORED_ARTICLE], "filters": {"from_year": float("inf")}}),
    (
        "pubmed.pubmed_filter_rank",
        {"scored_articles": [SCORED_ARTICLE], "filters": {"min_citation_count": float("nan")}},
    ),
    ("pubmed.pubmed_extract_features", {"articles": [{"foo": 1}]}),
    ("pubmed.pubmed_extract_features", {"articles": [{"id": "PMID:99000022", "title": 1}]}),
    ("pubmed.pubmed_extract_features", {"articles": ["\ud800"]}),
    ("pubmed.pubmed_extract_features", {"extraction_schema": nested(400)}),
    ("pubmed.pubmed_generate_query", {"research_goal": "a \ud83dgoal", "domain": {"x": 1}}),
    ("chembl.search_compounds", {"cursor": "\udc00\ud800", "slim": {"a": 1}}),
    ("igvf.find_associations", {"filters": {"p_value": "1e-999"}}),
    ("igvf.find_associations", {"filters": {"score": 10**400, "r2": "1e999"}}),
    ("igvf.search_region", {"filters": {"af_source": ["gnomad_af_total"], "min_af": {"a": 1}}}),
    ("entrez.get_gene", {"entrez_id": 10**5000}),
    ("entrez.get_gene", {"entrez_id": nested(400)}),
    ("entrez.get_genes_batch", {"entrez_ids": [10**5000, nested(400), None, "\ud800"]}),
    ("entrez.get_genes_batch", {"entrez_ids": '["\ud83d'}),
    ("entrez.get_genes_batch", {"entrez_ids": "[" * 70 + "]" * 70}),
    ("igvf.list_sources", {"category": '["dr\ud83d'}),
    ("entrez.search_genes", {"organism": "9606.0", "page_size": 10**5000}),
)
"""Inputs that hit a defect, or could have: each changes a good call."""


def good(tool):
    source, method = tool.split(".")
    examples = (
        example for example in every_source.examples(source) if example.tool == method and example.outcome == "found"
    )
    (spec,) = (spec for spec in specs_of(every_source.client_class(source)) if spec.ref.method == method)
    return FuzzCall(tool, spec, source, dict(next(examples).arguments))


def test_the_worst_inputs_are_answered():
    async def ask_all():
        async with sandboxed() as clients:
            ask = call_directly(clients)
            for tool, changes in WORST:
                call = good(tool)
                body = await ask(FuzzCall(tool, call.spec, call.source, {**call.arguments, **changes}))
                code = body.get("error", {}).get("code", "found")

                assert code in {"found", *CODES} - {"UPSTREAM_ERROR"}, (tool, changes, body)

    asyncio.run(ask_all())


def test_few_calls_meet_no_defect():
    """These calls have no cursors, handles or lists of earlier answers: a sweep has those."""

    async def ask_all():
        wrong, counts = [], Counter()
        async with sandboxed() as clients:
            ask, calls = call_directly(clients), pool()
            for place in range(FEW_CALLS):
                call = draw_call(calls, SEED, place)
                body = await ask(call)
                counts[body.get("error", {}).get("code", "found")] += 1
                if defect_kind := defect(body, Log()):
                    wrong.append((defect_kind, call.tool, call.arguments))
        return wrong, counts

    wrong, counts = asyncio.run(ask_all())

    assert wrong == []
    assert counts["found"] > FEW_CALLS / 10, "calls that are all refused would show little"
    assert counts.total() == FEW_CALLS
    assert counts["RATE_LIMITED"] + counts["UPSTREAM_ERROR"] == 0


@pytest.mark.sweep
@pytest.mark.parametrize(("count", "is_client"), [(CALLS, False), (CALLS_BY_CLIENT, True)], ids=["direct", "client"])
def test_no_call_meets_a_defect_or_outlasts_its_deadline(count, is_client):
    findings = asyncio.run(fuzz(count, SEED, is_client=is_client))

    assert findings.codes.total() == count
    assert not findings.counts, {
        defect_kind: (call.tool, call.arguments) for defect_kind, call in findings.defects.items()
    }
    assert findings.codes["found"] > count / 10, "calls that are all refused would show little"
    assert findings.codes["RATE_LIMITED"] + findings.codes["UPSTREAM_ERROR"] == 0
