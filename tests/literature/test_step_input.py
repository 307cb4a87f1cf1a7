"""The input of each step of the pipeline: records, or their dictionaries, with more fields than the steps know."""

import json

import pytest

from biofact.core.errors import BiofactError, EntityNotFound, UnresolvedEntity, UpstreamError
from biofact.sandbox import Fault
from tests.each_of import each_of
from tests.marks import requirement
from tests.sandboxed import on_sandbox

pytestmark = pytest.mark.quick

SCHEMA = {"sample_size": "number"}
CRITERIA = {"weights": {"sample_size": 1}}


def run(ask):
    """The answer of a client on the sandbox."""

    return on_sandbox("pubmed", lambda pipeline, _: ask(pipeline))


async def ranked(pipeline, form):
    """The ranking, if each step gets the result of ``form`` on the step before."""
    pubmed_search = await pipeline.pubmed_search("metformin", 3)
    pubmed_extract_features = await pipeline.pubmed_extract_features(SCHEMA, form(pubmed_search.articles))
    pubmed_score_articles = await pipeline.pubmed_score_articles(CRITERIA, form(pubmed_extract_features.extractions))
    return (await pipeline.pubmed_filter_rank(form(pubmed_score_articles.scored_articles))).model_dump(by_alias=True)


def dictionaries(records):
    return [record.model_dump(by_alias=True) for record in records]


def with_more(value):
    """Every object with an additional unknown key."""
    if isinstance(value, dict):
        return {**{name: with_more(part) for name, part in value.items()}, "note_of_mine": 1}
    return [with_more(part) for part in value] if isinstance(value, list) else value


def marked_records(records):
    """Unknown keys in the items, and in all objects of their articles."""
    rows = [{**row, "note_of_mine": 1} for row in dictionaries(records)]
    return [
        {**row, "original_article": with_more(row["original_article"])} if "original_article" in row else row
        for row in rows
    ]


FORMS = {
    "records": list,
    "dictionaries": dictionaries,
    "unknown keys": marked_records,
    "items as text": lambda records: [json.dumps(row) for row in dictionaries(records)],
    "one text": lambda records: json.dumps(dictionaries(records)),
}


def test_a_step_takes_records_and_their_dictionaries_alike():
    async def all_forms(pipeline):
        return {name: await ranked(pipeline, form) for name, form in FORMS.items()}

    result = run(all_forms)

    assert result["records"]["ranked_articles"]
    assert all(answer == result["records"] for answer in result.values())


@requirement("004 EH-malformed")
@each_of(
    ("tool", "arguments", "messages"),
    [
        ("pubmed_extract_features", {"articles": ["PMID:1", "x", {"id": 7.5}], "extraction_schema": SCHEMA},
         ["articles[1] is no article: 'x'", "articles[2] is no article"]),
        ("pubmed_extract_features", {"articles": [{"id": "PMID:1", "title": ["x"]}], "extraction_schema": SCHEMA},
         ["articles[0] is no article: title cannot be a list of 1 item: input should be a valid string"]),
        ("pubmed_score_articles", {"articles_with_features": [{"item_id": 1}], "scoring_criteria": CRITERIA},
         ["articles_with_features[0] is no extraction: item_id cannot be 1: input should be a valid string",
          "extraction is missing"]),
        ("pubmed_filter_rank", {"scored_articles": [{"item_id": "PMID:1", "total_score": 2}, 3]},
         ["scored_articles[0] is no scored article: total_score cannot be 2", "scored_articles[1] is no scored"]),
    ],
)  # fmt: skip
def test_a_malformed_item_is_reported_by_its_position(tool, arguments, messages):
    async def ask(pipeline):
        with pytest.raises(BiofactError) as raises:
            await getattr(pipeline, tool)(**arguments)
        return raises.value

    error = run(ask)

    assert isinstance(error, UnresolvedEntity)
    assert [message for message in messages if message not in error.message] == []
    assert error.hint
    assert error.invalid_input == next(iter(arguments.values()))


def test_of_a_long_list_a_failure_repeats_the_first_items_that_are_none():
    good = {"id": "PMID:1", "title": "x" * 100}

    async def ask(pipeline):
        with pytest.raises(UnresolvedEntity) as raises:
            await pipeline.pubmed_extract_features(SCHEMA, [good] * 50 + [{"foo": 1}])
        return raises.value

    error = run(ask)

    assert "articles[50] is no article: an object with 'foo'" in error.message
    assert error.invalid_input == [{"foo": 1}]


@pytest.mark.parametrize("pmid", [99000022, 99000022.0])
def test_pmids_may_be_numbers(pmid):
    async def ask(pipeline):
        return await pipeline.pubmed_extract_features(SCHEMA, [pmid])

    assert [row.item_id for row in run(ask).extractions] == ["PMID:99000022"]


@pytest.mark.parametrize(
    ("fault", "error"), [(Fault("status", status=503, times=None), UpstreamError), (None, EntityNotFound)]
)
def test_articles_that_pubmed_failed_to_give_are_not_absent(fault, error):
    def extract(pipeline, _):
        return pipeline.pubmed_extract_features(SCHEMA, ["PMID:99999999"])

    with pytest.raises(error):
        on_sandbox("pubmed", extract, *filter(None, [fault]))


@each_of("own_id", ["PMC102323", "10.1000/182", "study 7 (2019)"])
def test_articles_with_foreign_ids_keep_them_through_every_step(own_id):
    article = {"id": own_id, "title": "Zinc for colds: a randomised trial", "abstract": "We randomised 120 adults."}

    async def all_steps(pipeline):
        extracted = await pipeline.pubmed_extract_features(SCHEMA, [article])
        pubmed_score_articles = await pipeline.pubmed_score_articles(
            CRITERIA, [row.to_json() for row in extracted.extractions]
        )
        return extracted, await pipeline.pubmed_filter_rank(
            [row.to_json() for row in pubmed_score_articles.scored_articles]
        )

    extracted, ranked_articles = run(all_steps)

    assert [row.item_id for row in extracted.extractions] == [own_id]
    assert own_id in ranked_articles.to_json()
