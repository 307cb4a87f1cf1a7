"""Several names in one cell: of one entity they lead to it, of several to a question that names all."""

import pytest

from biofact.core.envelopes import ErrorEnvelope
from biofact.identity.resolver import Resolver
from biofact.sandbox import Fault
from biofact.sources import clients
from tests import virtual_time
from tests.each_of import each_of
from tests.sandboxed import transported

pytestmark = pytest.mark.quick


def resolved(*names, kind=None, organism="human", faults=()):
    async def ask():
        async with transported() as (transport, sandbox):
            sandbox.faults.set(*faults)
            resolver = Resolver(clients(transport), transport.afresh)
            return (await resolver.resolve(names, kind, organism)).rows

    return virtual_time.run(ask())


ONE_ENTITY = {
    "ERBB2 (HER2)": "NCBIGene:2064",
    "HER2/ERBB2": "NCBIGene:2064",
    "HER2 [ERBB2]": "NCBIGene:2064",
    "TP53 (p53)": "NCBIGene:7157",
    "p53;TP53": "NCBIGene:7157",
    "TP53 | p53": "NCBIGene:7157",
    "p53, TP53": "NCBIGene:7157",
    "p53\nTP53": "NCBIGene:7157",  # Alt+Enter
    "CXCL8/IL-8": "NCBIGene:3576",
    "CXCL8=IL-8": "NCBIGene:3576",
    "epidermal growth factor receptor (EGFR)": "NCBIGene:1956",
    "tumor protein p53 (TP53)": "NCBIGene:7157",
    "TNF-\u03b1 (TNF)": "NCBIGene:7124",
    "imatinib (Gleevec)": "CHEMBL:941",
}
TWO_NAMES = {
    "TP53 /// BRCA1": ("NCBIGene:7157", "NCBIGene:672"),
    "TP53;BRCA1": ("NCBIGene:7157", "NCBIGene:672"),
    "TP53\r\nBRCA1\n": ("NCBIGene:7157", "NCBIGene:672"),
    "TP53, BRCA1": ("NCBIGene:7157", "NCBIGene:672"),
    "BRCA1,BRCA2": ("NCBIGene:672", "NCBIGene:675"),
    "BRCA1 and BRCA2": ("NCBIGene:672", "NCBIGene:675"),
    "TP53 or BRCA1": ("NCBIGene:7157", "NCBIGene:672"),
    "TP53 und BRCA1": ("NCBIGene:7157", "NCBIGene:672"),
    "KRAS::BRAF": ("NCBIGene:3845", "NCBIGene:673"),
    "TP53|BRCA1": ("NCBIGene:7157", "NCBIGene:672"),
    "TP53 & BRCA1": ("NCBIGene:7157", "NCBIGene:672"),
    "EGFR + KRAS": ("NCBIGene:1956", "NCBIGene:3845"),
    "KRAS/BRAF": ("NCBIGene:3845", "NCBIGene:673"),
    "HER2 (EGFR)": ("NCBIGene:2064", "NCBIGene:1956"),
    "epidermal growth factor receptor; TNF": ("NCBIGene:1956", "NCBIGene:7124"),
    "EGFR/gefitinib": ("NCBIGene:1956", "CHEMBL:939"),
    "aspirin/caffeine": ("CHEMBL:25", "CHEMBL:113"),
}


@each_of("row", lambda: resolved(*ONE_ENTITY))
def test_names_of_one_entity_lead_to_it_and_the_row_says_that_it_was_read_in_parts(row):
    assert [entity.id for entity in row.entities] == [ONE_ENTITY[row.name]]
    assert row.entities[0].match != "symbol"
    assert row.reason.startswith("Read in parts: ")


@each_of("row", lambda: resolved(*TWO_NAMES))
def test_names_of_several_entities_are_a_question_that_names_all_of_them(row):
    assert row.entities == []
    assert [written.rpartition(" (")[2].rstrip(")") for written in row.ambiguous_with] == [*TWO_NAMES[row.name]]
    assert row.reason.startswith("Two names in one cell: ")


def test_a_name_on_two_lines_is_one():
    (row,) = resolved("tumor\nprotein p53")

    assert ([entity.id for entity in row.entities], row.reason) == (["NCBIGene:7157"], None)


def test_a_part_that_is_no_name_leaves_a_question():
    (row,) = resolved("EGFR (T790M)")

    assert row.entities == []
    assert [written.partition(" ")[0] for written in row.ambiguous_with] == ["EGFR"]
    assert row.reason == "Known in part: 'EGFR' is EGFR (NCBIGene:1956), 'T790M' is no name."


def test_a_text_without_a_part_that_is_a_name_has_the_reason_of_the_whole():
    (row,) = resolved("NWDP20/BPDZ11")

    assert (row.entities, row.ambiguous_with) == ([], [])
    assert row.reason.startswith("No ")


def test_a_text_with_a_part_of_which_it_is_not_known_what_it_is_fails():
    """Ensembl answers for the whole, and fails for the parts: it may know BPDZ11."""
    failing = [Fault("status", service="ensembl", path="/lookup/symbol", after=1, status=503, times=None)]

    (row,) = resolved("BRCA1/BPDZ11", faults=failing)

    assert isinstance(row, ErrorEnvelope)
    assert row.error.code == "UPSTREAM_ERROR"
