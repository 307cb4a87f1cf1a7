"""Numbers that passed through a spreadsheet or a JSON float: ``15451847.0`` is read, or refused with the right ID."""

import pytest

from biofact.core import organisms
from biofact.core.errors import UnresolvedEntity
from biofact.sources.chembl.identifiers import COMPOUND_ID
from biofact.sources.entrez.client import GENE_ID
from biofact.sources.pubmed.identifiers import PMID

pytestmark = pytest.mark.quick

REFUSED = [
    (GENE_ID, "7157.0", "NCBIGene:7157"),
    (GENE_ID, "NCBIGene:7157.0", "NCBIGene:7157"),
    (GENE_ID, "GeneID: 7157.00", "NCBIGene:7157"),
    (GENE_ID, 7157.0, "NCBIGene:7157"),
    (PMID, "15451847.0", "PMID:15451847"),
    (PMID, "PMID:15451847.0", "PMID:15451847"),
    (COMPOUND_ID, "CHEMBL25.0", "CHEMBL:25"),
    (COMPOUND_ID, "CHEMBL:25.0", "CHEMBL:25"),
]


def test_the_refusal_names_the_right_id(subtests):
    for kind, raw_id, right in REFUSED:
        with subtests.test(raw_id=raw_id):
            with pytest.raises(UnresolvedEntity) as refusal:
                kind.check(raw_id)

            assert right in refusal.value.hint
            assert right in refusal.value.recovery.arguments.values()
            assert refusal.value.invalid_input == raw_id


def test_a_number_with_a_fraction_of_nothing_is_the_number_where_bare_digits_are_taken():
    assert PMID.check(15451847.0) == "15451847"


def test_any_other_fraction_is_no_id(subtests):
    for raw_id in ["7157.5", "71.57.0.1", 7157.5, 1e300, float("nan"), float("inf")]:
        with subtests.test(raw_id=raw_id):
            with pytest.raises(UnresolvedEntity) as refusal:
                GENE_ID.check(raw_id)

            assert "If you mean" not in refusal.value.hint


def test_a_taxon_id_is_read(subtests):
    for text in ["9606.0", "txid9606.0", "9606"]:
        with subtests.test(text=text):
            assert organisms.taxon(text).id == organisms.taxon_id(text) == 9606


def test_a_query_that_is_such_a_number_is_the_id():
    assert GENE_ID.match("7157.0") == "NCBIGene:7157"
    assert PMID.match("PMID: 15451847.0") == "PMID:15451847"
