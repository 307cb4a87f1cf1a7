"""The recorded gene records compared with NCBI's own table of the same genes, of July 2021."""

import functools

import pytest

from biofact.dialects.xml import plain_tree
from biofact.sources.entrez import parse
from biofact.sources.entrez.parse.paths import Names
from biofact.sources.entrez.parse.trim import GeneSplitter
from tests.each_of import each_of
from tests.recordings import recording

pytestmark = pytest.mark.quick

# Differences of records that are older or newer than the table: (the table's value, the record's value).
DIFFERENCES = {
    "entrez/efetch_gene_test_entrezgeneset_0.xml.gz": {},
    "entrez/efetch_gene_2833_single_Entrezgene_root.xml": {},
    "entrez/efetch_gene_3627_single_Entrezgene_root.xml.gz": {},
    "entrez/efetch_gene_50943_single_Entrezgene_root.xml.gz": {},
    "entrez/efetch_gene_916_single_Entrezgene_root.xml": {  # early 2022: renamed, and the alias is new
        "name": ("CD3e molecule", "CD3 epsilon subunit of T-cell receptor complex"),
        "aliases": ({"IMD18", "T3E", "TCRE"}, {"CD3epsilon", "IMD18", "T3E", "TCRE"}),
    },
    "entrez/efetch_gene_4747_older_record.xml": {  # January 2014
        "name": ("neurofilament light chain", "neurofilament, light polypeptide"),
        "map_location": ("8p21.2", "8p21"),
        "aliases": (
            {"CMT1F", "CMT2E", "CMTDIG", "NF-L", "NF68", "NFL", "PPP1R110"},
            {"CMT1F", "CMT2E", "NF-L", "NF68", "NFL"},
        ),
        "ensembl_gene": ("ENSG00000277586", None),
        "designations": (
            [
                "neurofilament light polypeptide",
                "light molecular weight neurofilament protein",
                "neurofilament protein, light chain",
                "neurofilament subunit NF-L",
                "neurofilament triplet L protein",
                "neurofilament, light polypeptide 68kDa",
                "protein phosphatase 1, regulatory subunit 110",
            ],
            [
                "neurofilament light polypeptide",
                "neurofilament subunit NF-L",
                "neurofilament triplet L protein",
                "neurofilament protein, light chain",
                "neurofilament, light polypeptide 68kDa",
                "light molecular weight neurofilament protein",
            ],
        ),
    },
}


@functools.cache
def table():
    rows = (line.split("\t") for line in recording("bulk/Homo_sapiens.gene_info.gz").decode().splitlines())
    return {row[1]: row for row in rows if row[1] in {"4747", "2833", "3627", "50943", "916"}}


def table_facts(gene_id):
    row = table()[gene_id]
    ids = dict(entry.split(":", 1) for entry in row[5].split("|"))
    return {
        "symbol": row[2],
        "aliases": set(row[4].split("|")),
        "hgnc": ids["HGNC"],
        "ensembl_gene": ids["Ensembl"],
        "omim": ids["MIM"],
        "chromosome": row[6],
        "map_location": row[7],
        "name": row[11],
        "gene_type": row[9],
        "designations": row[13].split("|"),
    }


def record_facts(gene_id, record):
    gene = parse.gene(record).gene
    names = Names.from_record(plain_tree(record), gene_id)
    return {
        "symbol": gene.symbol,
        "aliases": set(names.aliases),
        "hgnc": gene.cross_references.hgnc,
        "ensembl_gene": gene.cross_references.ensembl_gene,
        "omim": gene.cross_references.omim,
        "chromosome": gene.chromosome,
        "map_location": gene.map_location,
        "name": gene.name,
        "gene_type": gene.gene_type,
        "designations": names.designations,
    }


@each_of("name", DIFFERENCES)
def test_record_and_table_agree_but_for_their_age(name):
    ((gene_id, record),) = GeneSplitter().feed(recording(name))

    own_values, other_values = record_facts(gene_id, record), table_facts(gene_id)

    assert {
        key: (other_values[key], own_values[key]) for key in own_values if own_values[key] != other_values[key]
    } == DIFFERENCES[name]
