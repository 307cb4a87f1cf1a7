"""The search fields of the stand-in, on the starter genes."""

import pytest

from biofact.sandbox.services.entrez.corpus import GeneCorpus, starter_genes
from biofact.sandbox.services.entrez.standin import GeneDatabase

pytestmark = pytest.mark.quick

STARTER = {gene.gene_id: gene for gene in starter_genes()}
DATABASE = GeneDatabase(GeneCorpus(starter_genes()))


RESULT = [
    ("sym", "brca1", {"672", "12189", "497672"}),
    ("pref", "mt-co1", {"4512", "17708", "140539"}),
    ("preferred symbol", "cox1", {"4512", "17708", "140539"}),
    ("gene name", "p38", {"1432", "5594", "26416", "65237"}),
    ("gene", "her-2/neu", {"2064"}),
    ("gene name", "p3", set()),
    ("gene name", "foxp*", {"50943", "20371"}),
    ("title", "cyclin dependent kinase", {"1029"}),
    ("titl", "cyclin kinase", set()),
    ("gene full name", "catalase", {"847", "12359", "30068", "852979"}),
    ("protein full name", "interleukin-8", {"3576"}),
    ("all fields", "trastuzumab", {"2064"}),
    ("all fields", "hgnc:1100", {"672"}),
    ("all fields", "672", {"672"}),
    ("uid", "672", {"672"}),
    ("uid", "99", set()),
    ("mim", "113705", {"672"}),
    ("accn", "nm_000546.6", {"7157"}),
    ("accn", "p04637", {"7157"}),
    ("pmid", "99000031", {"672", "7157", "12189"}),
    ("chr", "y", {"293", "1438", "10251"}),
    ("map location", "17q21.31", {"672", "1394", "104909134"}),
    ("prop", "genetype biological region", {"106783576", "105804841", "105259599"}),
    ("properties", "genetype trna", {"4558"}),
    ("tid", "7227", {"2768677", "31271", "31293", "37455", "3354888", "42460"}),
    ("orgn", "fruit fly", {"2768677", "31271", "31293", "37455", "3354888", "42460"}),
    ("organism", "txid7227", {"2768677", "31271", "31293", "37455", "3354888", "42460"}),
    ("organism", "saccharomyces cerevisiae", {"855625", "850803", "852979"}),
    ("organism", "unicorn", set()),
    ("gene ontology", "dna repair", set()),
]


def test_a_phrase_finds_its_genes(subtests):
    for field, phrase, expected in RESULT:
        with subtests.test(field=field):
            assert set(DATABASE.lookup(field, phrase)) == expected


def test_an_unknown_field_is_distinguished_from_no_hits():
    assert DATABASE.lookup("colour", "red") is None


def test_every_listed_field_can_be_searched():
    for row in DATABASE.info()["fields"]:
        assert DATABASE.lookup(row["name"].lower(), "zzz") == DATABASE.lookup(row["fullname"].lower(), "zzz") == []


def test_retired_genes_are_found_but_not_alive():
    assert DATABASE.lookup("sym", "eif3-p42") == ["9606"]
    assert set(DATABASE.lookup("gene name", "eif3-p42")) == {"9606", "8666"}
    assert {STARTER[uid].status for uid in DATABASE.lookup("prop", "alive")} == {"live"}
    assert len(DATABASE.lookup("prop", "alive")) == sum(gene.status == "live" for gene in starter_genes())
