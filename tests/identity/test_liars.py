"""Services that answer with another entity than requested: no name gets the entity of another."""

import pytest

from biofact.core.envelopes import ErrorEnvelope
from biofact.sandbox import services
from tests.conformance.services import changed, replacement_of
from tests.each_of import check_each
from tests.identity.test_every_kind import resolved
from tests.tiers import sample_and_rest

pytestmark = pytest.mark.quick

SYMBOLS = {
    "BRCA1": (r"(?i)(?<!\w)BRCA1(?!\w)", "TP53"),
    "NCBIGene:672": (r"(?<![\w.])672(?!\w)", "7157"),
    "ENSG00000012048": ("ENSG00000012048", "ENSG00000141510"),
    "HGNC:1100": ("HGNC(:|%3A)1100", r"HGNC\g<1>11998"),
    "imatinib": ("(?i)imatinib", "aspirin"),
    "CHEMBL:941": ("CHEMBL941", "CHEMBL25"),
    "rs429358": ("rs429358", "rs7412"),
    "P04637": ("P04637", "P38398"),
    "NM_000546": ("NM_000546", "NM_007294"),
    "ENST00000269305": ("ENST00000269305", "ENST00000357654"),
    "ENSP00000269305": ("ENSP00000269305", "ENSP00000350283"),
    "MONDO:0007254": ("MONDO([:_])0007254", r"MONDO\g<1>0007915"),
    "breast cancer": (r"breast(\W+|%20)cancer", "lupus"),
    "PMID:11832527": ("11832527", "9500320"),
    "10.1056/NEJMoa012512": (r"(?i)10\.1056/nejmoa012512", "10.1016/s0140-6736(97)11096-0"),
}
"""A name, and the one that the services get in its place."""


@pytest.fixture(scope="module")
def honest():
    """The rows of services that hear each name."""
    return resolved(*SYMBOLS)[0]


@pytest.mark.parametrize("names", sample_and_rest(list(SYMBOLS), 8))
def test_no_name_gets_the_entity_of_another(names, honest):
    check_each(names, lambda name: check_misheard(name, honest))


def check_misheard(name, honest):
    """Check that a name gets no entity that it does not get from honest services."""
    pattern, other = SYMBOLS[name]
    misheard, *_ = resolved(name, stand_ins=changed(replacement_of(pattern, other)))

    row = misheard[name]
    ids = {entity_id for entity in honest[name].entities for entity_id in (entity.id, *entity.ids.values())}
    assert isinstance(row, ErrorEnvelope) or {entity.id for entity in row.entities} <= ids, row


def test_each_name_has_an_entity_where_services_hear_it(honest):
    assert [name for name in SYMBOLS if not honest[name].entities] == []


@pytest.mark.parametrize(("liar", "expected"), [("ncbi", "ENSG00000012048.26"), ("ensembl", "NCBIGene:672")])
def test_an_entity_that_one_source_takes_for_another_gene_is_not_joined(liar, expected):
    stand_ins = changed(replacement_of(*SYMBOLS["BRCA1"]))
    pairs = zip(services.stand_ins(), stand_ins, strict=True)

    rows, *_ = resolved("BRCA1", stand_ins=[lie if lie.service.name == liar else honest for honest, lie in pairs])

    (entity,) = rows["BRCA1"].entities
    assert (entity.id, entity.ids) == (expected, {})
