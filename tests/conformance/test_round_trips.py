"""A tool's result can be pickled and written as JSON, and comes back equal, with its types and provenance."""

import copy
import functools
import json
import pickle

import pytest
from pydantic import BaseModel

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.errors import BiofactError
from biofact.core.records import compact_json, flat_json
from biofact.interfaces import every_source
from tests import virtual_time
from tests.conformance.cases import all_cases, cases, result_of, results
from tests.conformance.items import in_turn, split_cases
from tests.sandboxed import WHOLE, sandboxed

pytestmark = pytest.mark.quick

CASES = cases(lambda _: True)


def models_in(result):
    """The result and every item in it."""
    rows = getattr(result, result.listed) if getattr(result, "listed", None) else []
    return [result, *(row for row in rows if isinstance(row, BaseModel))]


def type_to_read(model):
    """The type by which a model is read back: of a page with the types of its items."""
    if not isinstance(model, PaginationEnvelope):
        return type(model)
    item_types = tuple(dict.fromkeys(map(type, model.items)))
    return PaginationEnvelope[
        functools.reduce(lambda item_type, other: item_type | other, item_types or (ErrorEnvelope,))
    ]


def assert_same(other, model):
    """Equal, and of the same types down to the last part."""
    assert other == model
    assert repr(other) == repr(model)  # names the type of every part
    assert [type(part) for part in models_in(other)] == [type(part) for part in models_in(model)]
    assert getattr(other, "provenance", None) == getattr(model, "provenance", None)


def assert_json_is_read(model):
    from_json, text = type_to_read(model).from_json, model.to_json()

    assert_same(from_json(model.to_json(provenance=True)), model)
    assert text == compact_json(flat_json(model))
    assert json.loads(model.to_json(indent=2)) == json.loads(text)
    assert from_json(text).to_json() == text
    with pytest.raises(ValueError, match="unheard_of"):
        from_json(json.dumps(json.loads(text) | {"unheard_of": 1}))


@in_turn(CASES)
def test_a_result_and_each_of_its_items_come_back_from_json_and_an_unknown_key_is_refused(case):
    for model in models_in(results(case.source)[case]):
        assert_json_is_read(model)


@in_turn(CASES)
def test_a_result_and_each_item_of_it_come_back_from_a_pickle_and_as_a_copy(case):
    for model in models_in(results(case.source)[case]):
        assert_same(pickle.loads(pickle.dumps(model)), model)
        assert_same(copy.deepcopy(model), model)


@in_turn(*split_cases(CASES, 1), rest=pytest.mark.sweep)
def test_a_result_and_each_item_of_it_come_back_from_a_pickle_of_any_protocol(case):
    for model in models_in(results(case.source)[case]):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert_same(pickle.loads(pickle.dumps(model, protocol)), model)


def test_most_results_name_a_service():
    signed = [case for case in CASES if results(case.source)[case].provenance is not None]

    assert len(signed) > len(CASES) / 2
    assert any(results(case.source)[case].provenance.others for case in signed)


def test_every_failure_of_an_example_is_written_and_read():
    async def failures(source):
        async with sandboxed(source, timing=WHOLE) as (client, _):
            for case in every_failure(source):
                with pytest.raises(BiofactError) as refusal:
                    await result_of(client, case)
                envelope = ErrorEnvelope.of(refusal.value)
                assert_same(ErrorEnvelope.from_json(envelope.to_json(provenance=True)), envelope)
                assert_same(pickle.loads(pickle.dumps(envelope)), envelope)

    for source in every_source.names():
        virtual_time.run(failures(source))


def every_failure(source):
    return [case for case in all_cases() if case.source == source and case.example.outcome != "found"]


def test_there_are_results_of_every_kind():
    kinds = {type(model).__name__ for case in CASES for model in models_in(results(case.source)[case])}

    assert {"EntrezGene", "SlimEntrezGene", "Transcript", "Compound", "CanonicalPubMedArticle", "SlimArticle"} <= kinds
    assert {
        "GeneEntity",
        "FullAssociation",
        "RegionContents",
        "ResolvedName",
        "CheckedIdentity",
        "Extractions",
    } <= kinds
    assert {"RankedArticles", "ScoredArticles", "QueryGeneration", "CanonicalPubMedQuery", "ErrorEnvelope"} <= kinds
