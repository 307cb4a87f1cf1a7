"""Recorded headings of MeSH to blocks: every entry term and every spelling of its words is there."""

from xml.etree import ElementTree as ET

import pytest

from biofact.literature.query import subjects, synonyms, terms, wording
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
    return [descriptor(one) for one in records if one.get("DescriptorClass") == "1"]


def descriptor(record):
    name = record.findtext("DescriptorName/String")
    terms = dict.fromkeys(one.text for one in record.iterfind("ConceptList/Concept/TermList/Term/String"))
    places = tuple(one.text for one in record.iterfind("TreeNumberList/TreeNumber"))
    return Descriptor(record.findtext("DescriptorUI"), name, tuple(term for term in terms if term != name), "", places)


def block(one):
    """The sensitive query for a heading alone."""
    goal = wording.clean(wording.in_speech(one.name))
    found = subjects.subjects_of(Concept((goal,)), {goal: [one]}, None)
    (draft, *_) = strategy_drafts("comprehensive", found[:1], QueryFilters())
    return str(draft)


def is_there(text, texts):
    folded = wording.clean(terms.without_accents(text)).lower()
    return any(folded == one or (one.endswith("*") and folded.startswith(one[:-1])) for one in texts)


@needs_recordings
def test_a_block_has_every_entry_term_of_its_heading_in_every_spelling():
    found = {one.name: lacking(one) for one in descriptors()}

    assert len(found) > 30
    assert {name: what for name, what in found.items() if what} == {}


def lacking(one):
    """What the block of a heading lacks, by kind."""
    query = block(one)
    texts = query_syntax.texts(query)
    wanted = [wording.in_speech(term) for term in one.entry_terms if term.lower() != "aged"]
    spelled = [form for term in wanted for form in (wording.american(term), wording.british(term))]
    counted = [term for term in wanted if not synonyms.is_organism(term)]
    numbers = [form for term in counted for form in wording.both_numbers(wording.clean(term))]
    found = {
        "syntax": query_syntax.problems(query),
        "the heading": [] if f'"{one.name}"[MeSH Terms]' in query else [query],
        "terms and spellings": [term for term in (*wanted, *spelled) if not is_there(term, texts)],
        "numbers": [form for form in numbers if not is_there(form, texts)],
    }
    return {kind: those for kind, those in found.items() if those}
