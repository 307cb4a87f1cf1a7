"""Summaries of genes: recorded ones whole, then fields that only some have."""

import json

import pytest

from biofact.core.errors import UpstreamError
from biofact.dialects import eutils
from biofact.sources.entrez import parse
from tests.each_of import each_of
from tests.marks import requirement
from tests.recordings import recording

pytestmark = pytest.mark.quick

LIVE = {"uid": "1", "name": "A", "organism": {"scientificname": "Homo sapiens", "taxid": 9606}}


def recorded_docsum(name):
    ((_, docsum),) = eutils.summaries(recording(name)).docsums.items()
    return parse.docsum(docsum)


def test_the_recorded_summary_in_json_is_read_whole():
    assert recorded_docsum("entrez/esummary_gene_3845_json_pori.json") == parse.Docsum(
        uid="3845",
        symbol="KRAS",
        organism="Homo sapiens",
        status="live",
        current_id=None,
        name="KRAS proto-oncogene, GTPase",
        description="KRAS proto-oncogene, GTPase",
        aliases=(
            *("'C-K-RAS", "C-K-RAS", "CFC2", "K-RAS2A", "K-RAS2B", "K-RAS4A", "K-RAS4B", "K-Ras", "K-Ras 2", "KI-RAS"),
            *("KRAS1", "KRAS2", "NS", "NS3", "OES", "RALD", "RASK2", "c-Ki-ras", "c-Ki-ras2"),
        ),
        designations=(
            "GTPase KRas",
            "K-ras p21 protein",
            "Kirsten rat sarcoma viral oncogene homolog",
            "Kirsten rat sarcoma viral proto-oncogene",
            "PR310 c-K-ras oncogene",
            "c-Kirsten-ras protein",
            "cellular c-Ki-ras2 proto-oncogene",
            "cellular transforming proto-oncogene",
            "oncogene KRAS2",
            "proto-oncogene GTPase",
            "transforming protein p21",
            "v-Ki-ras2 Kirsten rat sarcoma 2 viral oncogene homolog",
        ),
        taxon_id=9606,
        common_name="human",
        chromosome="12",
        map_location="12p12.1",
        weight=267797,
        mim=("190070",),
        summary=json.loads(recording("entrez/esummary_gene_3845_json_pori.json"))["result"]["3845"]["summary"],
        accessions=("NC_000012.12",),
    )


def test_the_recorded_summary_in_xml_is_read_whole():
    assert recorded_docsum("entrez/klortho_esummary.gene.xml") == parse.Docsum(
        uid="21803",
        symbol="Tgfb1",
        organism="Mus musculus",
        status="live",
        current_id=None,
        name="transforming growth factor, beta 1",
        description="transforming growth factor, beta 1",
        aliases=("TGF-beta1", "TGFbeta1", "Tgfb", "Tgfb-1"),
        designations=(
            "TGF-beta 1",
            "TGF-beta-1",
            "regulatory protein",
            "transforming growth factor beta-1",
            "transforming growth factor-beta 1",
        ),
        taxon_id=10090,
        common_name=None,
        chromosome="7",
        map_location="7 6.5 cM",
        weight=204825,
        mim=(),
        accessions=("NC_000073.6",),
    )


@each_of(
    ("status", "read_values"),
    [("", "live"), (0, "live"), ("0", "live"), (1, "secondary"), ("2", "discontinued"), (3, "live"), ("x", "other")],
)
def test_the_status_of_a_record_is_read(status, read_values):
    docsum = parse.docsum({**LIVE, "status": status})

    assert (docsum.status, docsum.is_live) == (read_values, read_values == "live")


@each_of(("current", "read_values"), [("", None), (0, None), ("0", None), (8666, "8666"), ("8666", "8666")])
def test_the_replacement_is_a_number_or_nothing(current, read_values):
    assert parse.docsum({**LIVE, "currentid": current}).current_id == read_values


def test_the_authority_names_the_gene_and_ncbis_symbol_is_an_alias():
    docsum = parse.docsum(
        {
            **LIVE,
            "name": "COX1",
            "description": "cytochrome c oxidase subunit I",
            "nomenclaturesymbol": "MT-CO1",
            "nomenclaturename": "mitochondrially encoded cytochrome c oxidase I",
            "nomenclaturestatus": "Official",
            "otheraliases": "COI, MTCO1",
            "otherdesignations": "cytochrome c oxidase subunit I|COX1 protein",
        }
    )

    assert (docsum.symbol, docsum.aliases) == ("MT-CO1", ("COX1", "COI", "MTCO1"))
    assert docsum.names == ("mitochondrially encoded cytochrome c oxidase I", "cytochrome c oxidase subunit I")
    assert docsum.designations == ("COX1 protein",)


def test_a_bare_summary_says_no_more_than_it_knows():
    docsum = parse.docsum(json.dumps(LIVE).encode())

    assert docsum.candidate(match="symbol", score=1.0).model_dump() == {
        "id": "NCBIGene:1",
        "symbol": "A",
        "organism": "Homo sapiens",
        "score": 1.0,
        "match": "symbol",
        "taxon_id": 9606,
    }
    assert docsum.slim_gene().model_dump() == {"id": "NCBIGene:1", "symbol": "A", "organism": "Homo sapiens"}
    assert (docsum.weight, docsum.mim) == (0, ())


@requirement("000 R1-esummary", "000 R2-id", "000 R2-symbol/name")
def test_a_candidate_has_the_facts_of_the_summary():
    docsum = recorded_docsum("entrez/klortho_esummary.gene.xml")

    assert docsum.candidate(match="alias", score=0.9).model_dump() == {
        "id": "NCBIGene:21803",
        "symbol": "Tgfb1",
        "organism": "Mus musculus",
        "score": 0.9,
        "match": "alias",
        "name": "transforming growth factor, beta 1",
        "aliases": ["TGF-beta1", "TGFbeta1", "Tgfb", "Tgfb-1"],
        "other_designations": ["TGF-beta 1", "TGF-beta-1", "regulatory protein"],
        "taxon_id": 10090,
        "chromosome": "7",
        "map_location": "7 6.5 cM",
    }


def test_a_hit_of_many_names_lists_the_first_of_them():
    docsum = recorded_docsum("entrez/esummary_gene_3845_json_pori.json")
    hit = docsum.candidate(match="symbol", score=1.0)

    assert (len(docsum.aliases), len(docsum.designations)) == (19, 12)
    assert (hit.aliases, hit.other_designations) == (list(docsum.aliases[:10]), list(docsum.designations[:3]))
    assert docsum.is_cut


@each_of(
    ("payload", "field"),
    [
        (b"{", "JSON"),
        (b"[]", "object"),
        ({**LIVE, "name": ""}, "name"),
        ({**LIVE, "organism": {}}, "scientificname"),
        ({**LIVE, "organism": "human"}, "object"),
        ({"name": "A"}, "uid"),
    ],
)
def test_a_malformed_summary_is_refused_with_the_name_of_the_missing_field(payload, field):
    with pytest.raises(UpstreamError, match=field):
        parse.docsum(payload)
