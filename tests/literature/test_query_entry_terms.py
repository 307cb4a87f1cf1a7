"""Recorded headings of MeSH to blocks: every entry term and every spelling of its words is in them."""

from xml.etree import ElementTree as ET

import pytest

from biofact.literature.query import subjects, synonyms, wording
from biofact.literature.query.concepts import Concept
from biofact.literature.query.drafts import strategy_drafts
from biofact.literature.query.filters import QueryFilters
from biofact.sources.pubmed.parse import Descriptor
from tests.literature import query_syntax
from tests.recordings import FOLDER, needs_recordings

pytestmark = pytest.mark.quick

RECORDING = FOLDER / "bulk" / "mesh_desc_samples.xml"


def descriptors():
    """The recorded descriptors that articles are indexed with; types of publications are not looked up."""
    records = ET.parse(RECORDING).getroot()
    return [descriptor(record) for record in records if record.get("DescriptorClass") == "1"]


def descriptor(record):
    name = record.findtext("DescriptorName/String")
    terms = dict.fromkeys(element.text for element in record.iterfind("ConceptList/Concept/TermList/Term/String"))
    places = tuple(element.text for element in record.iterfind("TreeNumberList/TreeNumber"))
    return Descriptor(record.findtext("DescriptorUI"), name, tuple(term for term in terms if term != name), "", places)


def block(item):
    """The sensitive query for a heading alone."""
    goal = wording.clean(wording.in_speech(item.name))
    subjects_of = subjects.subjects_of(Concept((goal,)), {goal: [item]}, None)
    (draft, *_) = strategy_drafts("comprehensive", subjects_of[:1], QueryFilters())
    return str(draft)


def is_there(text, texts):
    folded = wording.clean(wording.without_accents(text)).lower()
    return any(folded == text or (text.endswith("*") and folded.startswith(text[:-1])) for text in texts)


@needs_recordings
def test_a_block_has_every_entry_term_of_its_heading_in_every_spelling():
    result = {descriptor.name: lacking_terms(descriptor) for descriptor in descriptors()}

    assert len(result) > 30
    assert {name: value for name, value in result.items() if value} == {}


def lacking_terms(item):
    """The terms that the block of a heading lacks, by kind."""
    query = block(item)
    texts = query_syntax.texts(query)
    spoken_terms = [wording.in_speech(term) for term in item.entry_terms if term.lower() != "aged"]
    forms = [form for term in spoken_terms for form in (wording.american(term), wording.british(term))]
    counts = [term for term in spoken_terms if not synonyms.is_organism(term)]
    numbers = [form for term in counts for form in wording.both_numbers(wording.clean(term))]
    result = {
        "syntax": query_syntax.problems(query),
        "the heading": [] if f'"{item.name}"[MeSH Terms]' in query else [query],
        "terms and spellings": [term for term in (*spoken_terms, *forms) if not is_there(term, texts)],
        "numbers": [form for form in numbers if not is_there(form, texts)],
    }
    return {kind: value for kind, value in result.items() if value}
