"""Names of every kind at once: the right entity first, side by side, and with a source that is down."""

import json

import pytest
from benchmarks.resolve import A_SECOND

from biofact.core.envelopes import ErrorEnvelope
from biofact.identity.resolver import Resolver
from biofact.identity.search import SourceFinder
from biofact.sandbox import Fault
from biofact.sandbox.faults import Latency
from biofact.sources import clients
from tests import virtual_time
from tests.each_of import each_of
from tests.sandboxed import transported

pytestmark = pytest.mark.quick

FIRST = {
    "BRCA1": "NCBIGene:672",
    "imatinib": "CHEMBL:941",
    "rs429358": "NC_000019.10:44908683:T:C",
    "NM_000546": "ENST00000269305.9",
    "P04637": "UniProtKB:P04637",
    "ENSP00000269305": "ENSP00000269305",
    "breast cancer": "MONDO:0007254",
    "MONDO:0007254": "MONDO:0007254",
    "chr17:43044295-43125364": "17:43044295-43125364",
    "PMID:11832527": "PMID:11832527",
    "10.1056/NEJMoa012512": "PMID:11832527",
}
USUAL = Latency({"": 0.2})
TRANSCRIPT, PROTEIN = "ENST00000269305", "ENSP00000269305"


def resolved(*names, sources=(), kind=None, organism="human", **options):
    """The rows by name, the notices, the requests and the seconds."""
    faults = options.pop("faults", ())

    async def run():
        async with transported(latency=USUAL, **options) as (transport, sandbox):
            asked = {name: client for name, client in clients(transport).items() if not sources or name in sources}
            resolver = Resolver(asked, transport.afresh)
            sandbox.faults.set(*faults)
            start = virtual_time.now()
            resolution = await resolver.resolve(names, kind, organism)
            rows = dict(zip(names, resolution.rows, strict=True))
            requests = [(request.service, request.path) for request in sandbox.requests]
            return rows, resolution.notices, requests, virtual_time.now() - start

    return virtual_time.run(run())


def firsts(rows):
    return {name: row.entities[0].id if row.entities else None for name, row in rows.items()}


def test_the_right_entity_comes_first_for_a_name_of_each_kind():
    rows, notices, *_ = resolved(*FIRST)

    assert firsts(rows) == FIRST
    assert [notice.code for notice in notices] == ["ASSUMED"]


def test_names_in_company_are_answered_as_each_alone():
    names = [*FIRST, "rs334", "lupus", "NM_999999", "PMC999999999", "chr17:0-10", "OMIM:114480", "P2RY11", "RS1"]
    joint, *_ = resolved(*names)

    for name in names[1::2]:
        single, *_ = resolved(name)
        assert joint[name] == single[name]


def test_products_have_their_ids_and_genes():
    rows, *_ = resolved("NM_000546", "P04637", PROTEIN)

    assert json.loads(rows["NM_000546"].model_dump_json())["entities"] == [
        {
            "id": f"{TRANSCRIPT}.9",
            "label": "TP53-201",
            "score": 1,
            "match": "id",
            "product_of": ["ENSG00000141510"],
        }
    ]
    assert rows[PROTEIN].entities[0].ids == {"ensembl": f"{PROTEIN}.4"}
    assert {tuple(row.entities[0].product_of) for row in rows.values()} == {("ENSG00000141510",)}
    assert rows["P04637"].entities[0].label == "P53_HUMAN"


EIGHT = [
    "BRCA1",
    "imatinib",
    "rs429358",
    "NM_000546",
    "P04637",
    "breast cancer",
    "chr17:43044295-43125364",
    "PMID:11832527",
]


def test_all_sources_are_asked_side_by_side():
    """The Catalog alone, the slowest, takes nearly as long with the same requests: BRCA1 and imatinib are found
    elsewhere before it would be asked for diseases of that name.
    """
    rows, _, requests, seconds = resolved(*EIGHT)
    _, _, own_requests, slowest = resolved(*EIGHT[2:], sources=["igvf"])

    assert all(row.entities for row in rows.values())
    assert [request for request in requests if request[0] == "igvf"] == own_requests
    assert seconds <= 1.3 * slowest, (seconds, slowest)


def test_a_name_alone_costs_what_its_sources_need():
    expected = {
        "rs429358": {"igvf": 1},
        "PMID:11832527": {"ncbi": 1},
        "10.1056/NEJMoa012512": {"ncbi": 2},
        "chr17:43044295-43125364": {},
        "MONDO:0007254": {"igvf": 1},
        "NM_000546": {"ensembl": 2},
        "P04637": {"igvf": 2},
        PROTEIN: {"igvf": 2, "ensembl": 2},
    }
    for name, counts in expected.items():
        _, _, requests, _ = resolved(name)

        services = [service for service, _ in requests]
        assert {service: services.count(service) for service in services} == counts, name


@each_of("down", ["ncbi", "ensembl", "igvf", "chembl"])
def test_a_source_that_is_down_is_a_notice_and_fails_only_entities_of_its_own(down):
    rows, notices, *_ = resolved(*FIRST, faults=[Fault("status", service=down, status=503, times=None)])
    unique = {
        "ncbi": {"PMID:11832527", "10.1056/NEJMoa012512"},
        "ensembl": {"NM_000546"},
        "igvf": {"rs429358", "MONDO:0007254", "breast cancer"},
        "chembl": {"imatinib"},
    }[down]

    failed = {name for name, row in rows.items() if isinstance(row, ErrorEnvelope)}
    assert failed == unique
    assert "LEG_FAILED" in {notice.code for notice in notices}
    first_kinds = firsts(
        {name: row for name, row in rows.items() if name not in {*unique, "BRCA1", "breast cancer", PROTEIN}}
    )
    assert first_kinds == {name: FIRST[name] for name in first_kinds}
    assert rows[PROTEIN].entities[0].id.partition(".")[0] == PROTEIN
    assert rows["BRCA1"].entities[0].id.startswith("ENSG00000012048" if down == "ncbi" else "NCBIGene:672")


def test_a_disease_fails_with_a_reason_if_no_source_could_be_asked():
    rows, *_ = resolved("breast cancer", faults=[Fault("status", service="igvf", status=503, times=None)])

    assert rows["breast cancer"].error.code == "UPSTREAM_ERROR"
    assert "IGVF" in rows["breast cancer"].error.message


def test_a_symbol_in_the_form_of_an_accession_is_a_gene():
    facts = [Fault("body", service="ensembl", path="/lookup/symbol", body=json.dumps({"B3GAT1": B3GAT1}).encode())]
    rows, *_ = resolved("B3GAT1", faults=facts)

    assert [(entity.id, entity.kind) for entity in rows["B3GAT1"].entities] == [("ENSG00000109956.13", "gene")]


B3GAT1 = {
    "id": "ENSG00000109956",
    "version": 13,
    "display_name": "B3GAT1",
    "species": "homo_sapiens",
    "object_type": "Gene",
    "biotype": "protein_coding",
    "seq_region_name": "11",
    "start": 134378504,
    "end": 134411918,
    "strand": -1,
    "assembly_name": "GRCh38",
}


def test_alleles_of_one_rsid_name_each_other():
    rows, *_ = resolved("rs334")

    row = rows["rs334"]
    assert row.entities == []
    assert sorted(row.ambiguous_with) == [f"rs334 (NC_000011.10:5227001:T:{letter})" for letter in "ACG"]
    assert row.reason.startswith("3 variants match equally well (id)")


def test_ten_ids_of_one_kind_are_all_asked_for():
    rsids = ["rs429358", "rs7412", "rs12516", "rs8176318", "rs80357906", "rs1799966", "rs1060915", "rs16942", "rs16941"]
    terms = ["MONDO:0007254", "MONDO:0009861", "MONDO:0009061", "MONDO:0007915", "MONDO:0004670", "MONDO:0005556"]
    terms += ["MONDO:0004979", "MONDO:0008426", "MONDO:0011450", "MONDO:0018875", "MONDO:0005439", "MONDO:0004975"]
    rows, _, requests, _ = resolved(*rsids, *terms)

    assert firsts({name: rows[name] for name in terms}) == {name: name for name in terms}
    assert all(rows[name].entities[0].id.startswith("NC_") for name in rsids)
    assert len(requests) == len(rsids) + len(terms)


def test_ids_do_not_stand_in_the_way_of_the_few_names_that_are_asked_for_one_by_one():
    terms = [f"MONDO:00{number}" for number in range(10000, 10020)]
    rows, *_ = resolved(*terms, "breast cancer", kind="disease")

    assert firsts(rows)["breast cancer"] == FIRST["breast cancer"]


def test_a_hundred_names_of_several_kinds_have_the_time_that_the_rates_take():
    rsids = [f"rs{number}" for number in range(429_318, 429_368)]
    accessions = [f"P0{number}" for number in range(4620, 4645)]
    transcripts = [f"NM_{number:06}" for number in range(530, 555)]
    rows, _, requests, seconds = resolved(*rsids, *accessions, *transcripts)

    assert not any(isinstance(row, ErrorEnvelope) for row in rows.values())
    for name in ("rs429358", "P04637", "NM_000546"):
        assert rows[name].entities[0].id == FIRST[name]
    assert [service for service, _ in requests].count("igvf") <= 50 + 2 * 25
    assert seconds <= 1.2 * 100 / A_SECOND["igvf"]


def test_a_kind_that_is_given_is_kept():
    rows, *_ = resolved("11832527", "P04637", kind="article")

    assert firsts(rows) == {"11832527": "PMID:11832527", "P04637": None}


def test_a_name_that_a_finder_does_not_accept_is_no_failure_of_its_source():
    rows, *_ = resolved("ENST99999999999", faults=[Fault("status", service="igvf", status=503, times=None)])

    assert rows["ENST99999999999"].entities == []
    assert "IGVF" not in rows["ENST99999999999"].reason


def test_finders_of_the_sources_are_what_is_asked():
    async def run():
        async with transported() as (transport, _):
            return Resolver(clients(transport), transport.afresh)._finders

    finders = virtual_time.run(run())
    assert all(isinstance(source, SourceFinder) for source in finders)
    assert {(source.source, source.finder.kind, source.finder.is_joined) for source in finders} >= {
        ("igvf", "variant", True),
        ("igvf", "disease", True),
        ("igvf", "disease", False),
        ("igvf", "protein", True),
        ("igvf", "region", True),
        ("pubmed", "article", True),
        ("ensembl", "transcript", True),
        ("ensembl", "protein", True),
        ("ensembl", "protein", False),
    }
