"""Trimmed bytes that change take a new cache kind: entries of an earlier release are read by its own rules or not at
all.

A digest stands for the bytes that a splitter cuts out of a recorded answer. When it changes, the kind takes the next
number, in its source and here; the digest then follows. ChEMBL's recorded lists for one compound have the rows that it
sends for many.
"""

import hashlib
import importlib
import json
import pkgutil

import pytest

from biofact import sources
from biofact.transport.service import Batching
from tests.each_of import each_of
from tests.recordings import recording

pytestmark = pytest.mark.quick


def batchings() -> dict[str, Batching]:
    """Every kind of lookup that a source declares."""
    modules = [
        importlib.import_module(walk_package.name)
        for walk_package in pkgutil.walk_packages(sources.__path__, "biofact.sources.")
        if walk_package.name.endswith((".client", ".questions"))
    ]
    values = [value for module in modules for value in vars(module).values() if isinstance(value, Batching)]
    return {batching.kind: batching for batching in values}


def by_id(name: str) -> bytes:
    """A recorded answer of Ensembl for one ID, in the form for several."""
    return b'{"%s": %s}' % (json.loads(recording(name))["id"].encode(), recording(name))


def in_list(name: str, listed_values: str) -> bytes:
    """A recorded answer of ChEMBL for one ID, in the form for several."""
    return b'{"%s": [%s]}' % (listed_values.encode(), recording(name))


MECHANISMS = b'{"mechanisms": [{"parent_molecule_chembl_id": "CHEMBL941", "mec_id": 1, "action_type": "INHIBITOR"}]}'
TARGETS = b'{"targets": [{"target_chembl_id": "CHEMBL203", "organism": "Homo sapiens", "score": 1.5}]}'
LOOKUPS = b'{"chembl_id_lookups": [{"chembl_id": "CHEMBL203", "entity_type": "TARGET", "status": "ACTIVE"}]}'
CITED = b'{"data": [{"pmid": 23456789, "citation_count": 4, "nih_percentile": 57.1, "year": 2013}]}'
DESCRIPTOR = (
    b'{"result": {"uids": ["68003920"], "68003920": {"uid": "68003920", "ds_meshterms": ["Diabetes Mellitus"]}}}'
)

RESULT = b'{"esearchresult": {"count": "1", "retmax": "1", "retstart": "0", "idlist": ["672"]}}'

KINDS = {
    "gene-called/1": ("BRCA1[sym]", lambda: RESULT, "66c83f664158404a"),
    "gene/1": ("4747", lambda: recording("entrez/efetch_gene_test_entrezgeneset_0.xml.gz"), "2a44d89c7995b33e"),
    "gene-annotated/1": (
        "4747",
        lambda: recording("entrez/efetch_gene_test_entrezgeneset_0.xml.gz"),
        "11370f6fc4543ede",
    ),
    "gene-rifs/1": ("4747", lambda: recording("entrez/efetch_gene_test_entrezgeneset_0.xml.gz"), "cfd9d9879c6acec0"),
    "gene-report/1": ("6392", lambda: recording("datasets/gene_id_6392_dataset_report.json"), "89f431cf7c3029b8"),
    "gene-products/1": ("6392", lambda: recording("datasets/gene_id_6392_product_report.json"), "dc365e6185ee889b"),
    "gene-docsum/2": ("3845", lambda: recording("entrez/esummary_gene_3845_json_pori.json"), "e48631375c735c12"),
    "pubmed-docsum/2": ("30016509", lambda: recording("pubmed/esummary_pubmed_30016509_json.json"), "6bc9dd3dc31bc8d6"),
    "gene-lookup/1": (
        "ENSG00000133703",
        lambda: by_id("ensembl/lookup_id_ENSG00000133703_pori.json"),
        "9281ce290b03f4b3",
    ),
    "transcript-lookup/1": (
        "ENST00000557334",
        lambda: by_id("ensembl/lookup_id_ENST00000557334_pori.json"),
        "b517f7c92a120bf8",
    ),
    "translation-lookup/1": (
        "ENSP00000308495",
        lambda: by_id("ensembl/lookup_id_ENSP00000308495_pori.json"),
        "423155e880b3cd9c",
    ),
    "gene-expanded/1": (
        "ENSG00000157764",
        lambda: by_id("ensembl/lookup-braf-expanded-response.json"),
        "ef7e736cc1dd0cee",
    ),
    "transcript-expanded/1": (
        "ENST00000375549",
        lambda: by_id("ensembl_3/lookup_id_ENST00000375549_expand_2025.json"),
        "6452c0e23b00d2d5",
    ),
    "molecule/1": ("CHEMBL25", lambda: in_list("chembl/molecule_CHEMBL25_ws.json", "molecules"), "ce00fe287f0b6299"),
    "indications/1": (
        "CHEMBL1094636",
        lambda: recording("chembl/drug_indication_CHEMBL1094636_ws.json"),
        "f0673d29cceac673",
    ),
    "mechanisms/1": ("CHEMBL941", lambda: MECHANISMS, "4eaf5f08540642eb"),
    "targets/1": ("CHEMBL203", lambda: TARGETS, "09fc47d2b0ec9660"),
    "ids/1": ("CHEMBL203", lambda: LOOKUPS, "5038e0f072bc55de"),
    "pubmed-article/1": ("19129924", lambda: recording("pubmed/fatcat_pubmed_19129924.xml"), "ba2a097e74dd2ce2"),
    "icite/1": ("23456789", lambda: CITED, "8a1b6d00410a1e90"),
    "mesh/1": ("68003920", lambda: DESCRIPTOR, "2c531c979daf4d41"),
}


def test_every_kind_of_record_has_its_digest():
    assert set(batchings()) == set(KINDS)


@each_of("kind", KINDS)
def test_the_bytes_of_a_kind_are_those_that_were_kept_under_it(kind):
    item, body, digest = KINDS[kind]
    splitter = batchings()[kind].ask((item,)).splitter
    records = splitter.feed(body())
    splitter.close()

    assert [name for name, _ in records] == [item]
    assert hashlib.sha256(records[0][1]).hexdigest()[:16] == digest, "give these bytes a kind of their own"
