"""IDs in further databases beside resolved names: read in batches, only for entities, and left out where a source is
down.
"""

from collections import Counter

import pytest

from biofact.core.errors import AmbiguousQuery
from biofact.core.xrefs import REGISTRY
from biofact.identity import cross_references
from biofact.identity.cross_references import COMPOUND_KEYS, DATABASES, GENE_KEYS, SHORT_NAMES
from biofact.sandbox import Fault
from tests.sandboxed import on_sandbox

pytestmark = pytest.mark.quick

GENES = ["BRCA1", "TP53", "EGFR", "KRAS"]
RECORDS = ("/gene/dataset_report", "/gene/product_report")


def answers(names, databases, *faults, **options):
    """The rows, the notices and the paths of the requests."""

    async def ask(client, sandbox):
        pages = [page async for page in client.resolve_many(names, databases=databases, **options)]
        notices = [notice for page in pages for notice in page.notices]
        return [row for page in pages for row in page.items], notices, [entry.path for entry in sandbox.requests]

    return on_sandbox("identity", ask, *faults)


def test_rows_of_genes_and_compounds_have_the_ids_of_their_records():
    rows, notices, _ = answers(["BRCA1", "aspirin", "no such gene"], DATABASES)
    gene, compound, nothing = rows

    assert gene.entities[0].ids == {
        "entrez": "NCBIGene:672",
        "ensembl": "ENSG00000012048.26",
        "ensembl_gene": "ENSG00000012048",
        "hgnc": "HGNC:1100",
        "uniprot": "UniProtKB:P38398",
        "refseq": "NM_007294",
        "omim": "113705",
    }
    assert compound.entities[0].ids == {
        "chembl": "CHEMBL:25",
        "uniprot": "UniProtKB:P23219;UniProtKB:P35354",
        "pubchem_compound": "2244",
        "pubchem_substance": "144203627",
        "drugbank": "DB00945",
        "kegg": "C01405",
        "pdb": "1OXR",
    }
    assert nothing.entities == []
    assert {notice.code for notice in notices} == {"ASSUMED"}


def test_every_value_is_in_the_form_of_its_key():
    rows, _, _ = answers([*GENES, "imatinib", "aspirin", "erlotinib"], DATABASES)

    ids = [
        item for row in rows for item in row.entities[0].ids.items() if item[0] not in {"entrez", "chembl", "ensembl"}
    ]
    assert len(ids) > 25
    for key, text in ids:
        assert all(REGISTRY[key].normalise(value) == value for value in text.split(";")), (key, text)


def test_many_genes_take_as_many_requests_for_records_as_one():
    _, _, without = answers(GENES, ())
    rows, _, paths = answers([*GENES, *GENES], ("hgnc",))

    added = Counter(paths) - Counter(without)
    assert [row.entities[0].ids["hgnc"] for row in rows[:4]] == [row.entities[0].ids["hgnc"] for row in rows[4:]]
    assert set(added) <= {*RECORDS, "/esummary.fcgi"}
    assert max(added.values()) == 1


def test_no_record_is_read_for_what_the_row_has_or_its_kind_has_not():
    for databases in (("entrez", "chembl"), ("drugbank",)):
        rows, _, paths = answers(["BRCA1"], databases, kind="gene")

        assert rows[0].entities[0].ids == {"entrez": "NCBIGene:672", "ensembl": "ENSG00000012048.26"}
        assert not set(paths) & set(RECORDS)


def test_a_gene_that_only_ensembl_knows_is_read_there():
    down = Fault("status", path="fcgi", status=503, times=None)
    rows, _, _ = answers(["ENSG00000012048"], ("hgnc", "ensembl_gene"), down)
    ids = rows[0].entities[0].ids

    assert "entrez" not in ids
    assert (ids["hgnc"], ids["ensembl_gene"]) == ("HGNC:1100", "ENSG00000012048")


def test_a_source_that_is_down_leaves_the_ids_out_with_a_notice():
    down = Fault("status", path="compounds", status=503, times=None)
    rows, notices, _ = answers(["aspirin", "imatinib"], ("pubchem", "uniprot"), down)

    assert ["pubchem_compound" in row.entities[0].ids for row in rows] == [False, False]
    assert all("uniprot" in row.entities[0].ids for row in rows)
    (failure,) = [notice.message for notice in notices if notice.code == "LEG_FAILED"]
    assert failure.startswith("Without all cross-references of 2 compounds of ChEMBL.")


def test_an_unknown_database_is_refused_with_the_known_ones():
    with pytest.raises(AmbiguousQuery) as refusal:
        answers(["BRCA1"], ("hgnc", "genecards"))

    assert "genecards" in refusal.value.message
    assert "hgnc" in refusal.value.hint


def test_keys_and_short_names_are_those_of_the_registry():
    assert set(DATABASES) == {*GENE_KEYS, *COMPOUND_KEYS} <= set(REGISTRY)
    assert set(SHORT_NAMES.values()) <= {*DATABASES, "label"}
    assert cross_references.checked_databases(["PubChem", "pubchem_compound", "ensembl"]) == (
        "pubchem_compound",
        "ensembl_gene",
    )
