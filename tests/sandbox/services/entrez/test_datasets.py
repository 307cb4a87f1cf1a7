"""Reports of NCBI Datasets by the stand-in: names that find a gene, pages, refusals, shapes as recorded, and replay."""

import functools
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.dialects.datasets import DATASETS
from biofact.sandbox.recordings import Recordings, Replay
from biofact.sandbox.services.entrez import reports
from biofact.sandbox.services.entrez.corpus import GenomicPlace, GoFact, NcbiGeneFacts, starter_genes
from biofact.sandbox.services.entrez.datasets import DatasetsStandIn
from biofact.sandbox.services.entrez.standin import stand_ins
from biofact.sandbox.standin import Reply, ServiceRequest
from tests.recordings import FOLDER, needs_recordings, recording
from tests.sources.entrez.made_genes import database, replaced_gene, withdrawn

pytestmark = pytest.mark.quick

BRCA1, BRAF, TP53, ASMT = "672", "673", "7157", "438"
MADE_GENES = [
    NcbiGeneFacts(gene_id="11", symbol="AAA", aliases=("SHARED",), refseq=("NM_000011", "NR_000012")),
    NcbiGeneFacts(gene_id="12", symbol="BBB", aliases=("SHARED", "ccc")),
    NcbiGeneFacts(gene_id="13", symbol="Aaa", taxon_id=10090),
    NcbiGeneFacts(gene_id="14", symbol="ODD", gene_type="unknown"),
    NcbiGeneFacts(gene_id="15", symbol="ENH", gene_type="biological-region"),
    replaced_gene(21, 22),
    replaced_gene(22, 11),
    replaced_gene(23, 99),
    withdrawn(31, "GONE"),
]


@functools.cache
def made_stand_in() -> DatasetsStandIn:
    return DatasetsStandIn(database(*MADE_GENES).corpus)


@functools.cache
def starter_stand_in() -> DatasetsStandIn:
    [stand_in] = [stand_in for stand_in in stand_ins() if isinstance(stand_in, DatasetsStandIn)]
    return stand_in


def document(reply: Reply | None, status: int = 200) -> dict[str, Any]:
    assert reply is not None
    assert reply.status == status
    assert isinstance(reply.body, bytes)
    answer: dict[str, Any] = json.loads(reply.body)
    return answer


def get_request(path: str, **params: str) -> ServiceRequest:
    return ServiceRequest("GET", path, tuple(params.items()))


def post_request(kind: str = "dataset_report", **body: Any) -> ServiceRequest:
    return ServiceRequest("POST", f"/gene/{kind}", (), json.dumps(body).encode())


def get(path: str, **params: str) -> dict[str, Any]:
    return document(made_stand_in().reply(get_request(path, **params)))


def post(**body: Any) -> dict[str, Any]:
    return document(made_stand_in().reply(post_request(**body)))


def matches(page: dict[str, Any]) -> dict[str, list[str]]:
    """The names that led to each gene of a page, by GeneID."""
    return {report["gene"]["gene_id"]: report["query"] for report in page["reports"]}


# Names that find a gene


def test_a_gene_is_found_by_each_of_its_names_by_path_and_by_body(subtests):
    by_symbol = {"symbols": ["aaa"], "taxon": "Human"}
    cases = [
        (get("/gene/id/11,12/dataset_report"), {"11": ["11"], "12": ["12"]}),
        (post(gene_ids=[12, 11, 11]), {"11": ["11"], "12": ["12"]}),
        (post(gene_ids=["11"]), {"11": ["11"]}),
        (get("/gene/symbol/aaa/taxon/HOMO SAPIENS/dataset_report"), {"11": ["aaa"]}),
        (get("/gene/symbol/aaa/taxon/house mouse/dataset_report"), {"13": ["aaa"]}),
        (post(symbols_for_taxon=by_symbol), {"11": ["aaa"]}),
        (get("/gene/symbol/shared/taxon/9606/dataset_report"), {"11": ["shared"], "12": ["shared"]}),
        (get("/gene/symbol/CCC,BBB/taxon/9606/dataset_report"), {"12": ["CCC", "BBB"]}),
        (get("/gene/accession/NM_000011.3,NR_000012/dataset_report"), {"11": ["NM_000011.3", "NR_000012"]}),
        (post(accessions=["NM_000011"]), {"11": ["NM_000011"]}),
    ]
    for page, expected in cases:
        with subtests.test(expected=expected):
            assert matches(page) == expected
            assert page.keys() == {"reports", "total_count"}
            assert page["total_count"] == len(expected)


def test_nothing_found_is_an_empty_object(subtests):
    for path in (
        "/gene/id/14,15,23,404/dataset_report",
        "/gene/symbol/ABCDE/taxon/human/dataset_report",
        "/gene/symbol/AAA/taxon/zebrafish/dataset_report",
        "/gene/symbol/GONE/taxon/human/dataset_report",
        "/gene/accession/NP_000000.0/product_report",
        "/gene/locus_tag/b0001/dataset_report",
    ):
        with subtests.test(path=path):
            assert get(path) == {}


def test_a_retired_gene_id_has_a_warning_and_the_gene_that_it_leads_to():
    page = post(gene_ids=[21, 31])
    by_query = {report["query"][0]: report for report in page["reports"]}

    assert page["total_count"] == 1
    assert by_query["21"]["gene"]["gene_id"] == "11"
    assert by_query["21"]["warnings"][0]["replaced_id"] == {"requested": "21", "returned": "22"}
    assert by_query["31"].keys() == {"query", "warnings"}


@needs_recordings
def test_a_discontinued_gene_id_has_the_members_that_version_1_recorded():
    recorded = json.loads(recording("datasets/v1_discontinued_7226731_20210716.json"))
    [report] = post(gene_ids=[31])["reports"]

    assert report.keys() == recorded.keys()
    assert report["warnings"][0].keys() == recorded["warnings"][0].keys()
    for name in ("gene_warning_code", "reason"):
        assert report["warnings"][0][name] == recorded["warnings"][0][name]


def test_reports_come_in_an_order_of_their_own_whatever_the_order_of_the_request():
    gene_ids = [int(gene.gene_id) for gene in starter_genes() if gene.status == "live"][:30]
    orders = [
        list(matches(document(starter_stand_in().reply(post_request(gene_ids=ids, page_size=1000)))))
        for ids in (gene_ids, gene_ids[::-1])
    ]

    assert orders[0] == orders[1]
    assert orders[0] != sorted(orders[0], key=int)


# Pages


def pages(**body: Any) -> Iterator[dict[str, Any]]:
    token: str | None = ""
    while token is not None:
        page = document(starter_stand_in().reply(post_request(**body, page_token=token)))
        yield page
        token = page.get("next_page_token")


@pytest.mark.parametrize("size", [None, 1, 7, 1000])
def test_pages_have_each_report_once(size):
    genes = [gene for gene in starter_genes() if gene.status == "live" and reports.is_listed(gene)][:45]
    options = {} if size is None else {"page_size": size}
    rows = list(pages(gene_ids=[int(gene.gene_id) for gene in genes], **options))
    gene_ids = [uid for page in rows for uid in matches(page)]

    assert sorted(gene_ids) == sorted(gene.gene_id for gene in genes)
    assert {page["total_count"] for page in rows} == {45}
    assert [len(page["reports"]) for page in rows[:-1]] == [size or 20] * (len(rows) - 1)


# Refusals


@needs_recordings
def test_a_gene_id_that_is_none_is_refused_as_recorded(subtests):
    recorded = json.loads(recording("datasets/error_400_gene_ids_20261009.json"))
    requests = [get_request(f"/gene/id/{uid}/dataset_report") for uid in ("BRCA1", "672,-1", "2147483648")]
    requests += [post_request(gene_ids=ids) for ids in (["x"], [1.5], [True], [2**31], "672", [])]
    for request in requests:
        with subtests.test(path=request.path, body=request.body):
            assert document(made_stand_in().reply(request), 400) == recorded


def test_values_of_another_type_are_refused(subtests):
    for body in (
        {"accessions": [1]},
        {"symbols_for_taxon": "TP53"},
        {"symbols_for_taxon": {"symbols": "TP53", "taxon": "9606"}},
        {"gene_ids": [11], "page_size": 1001},
        {"gene_ids": [11], "page_size": "many"},
        {"gene_ids": [11], "page_token": "elsewhere"},
    ):
        with subtests.test(body=body):
            assert document(made_stand_in().reply(post_request(**body)), 400)["error"] == "Bad Request"
    assert (
        document(made_stand_in().reply(ServiceRequest("POST", "/gene/dataset_report", (), b"[]")), 400)["code"] == 400
    )


def test_parameters_that_the_sandbox_lacks_are_refused_and_only_the_unknown_ones_are_ignorable():
    unknown = made_stand_in().reply(get_request("/gene/id/11/dataset_report", pagesize="5"))
    unsupported = made_stand_in().reply(post_request(gene_ids=[11], types=["PSEUDO"]))

    assert unknown is not None
    assert unknown.status == 400
    assert unknown.unknown_parameters == {"pagesize"}
    assert unsupported is not None
    assert unsupported.status == 400
    assert not unsupported.unknown_parameters


def test_the_stand_in_answers_no_other_path_or_method(subtests):
    for method, path in (
        ("GET", "/gene/dataset_report"),
        ("POST", "/gene/id/11/dataset_report"),
        ("GET", "/gene/id/11/links"),
        ("GET", "/taxonomy/taxon_suggest/hum"),
    ):
        with subtests.test(method=method, path=path):
            assert made_stand_in().reply(ServiceRequest(method, path, ())) is None


def test_the_version_has_one_member():
    assert get("/version").keys() == {"version"}


def test_the_limit_is_3_a_second_and_10_with_a_key_in_the_header():
    limit = starter_stand_in().limit(1.0)
    plain, signed = (
        ServiceRequest("GET", "/version", (), headers=headers) for headers in ({}, {"api-key": "0123456789"})
    )

    def admissions(request: ServiceRequest) -> int:
        return sum(limit.admit(request, "127.0.0.1", 5.0).refusal is None for _ in range(20))

    assert (admissions(plain), admissions(signed)) == (3, 10)
    refusal = limit.admit(plain, "127.0.0.1", 5.5).refusal
    assert refusal is not None
    assert refusal.status == 429


# Shapes as recorded


ASPECT = re.compile("molecular_functions|biological_processes|cellular_components")
"""Lists of terms alike; a recording of 2026 was thinned to the first."""


def shape(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """The JSON type at each path below a value; items of a list share one."""
    yield ASPECT.sub("(aspect)", path), type(value).__name__
    members: Iterable[tuple[str, Any]] = ()
    if isinstance(value, dict):
        members = ((f"{path}/{name}", member) for name, member in value.items())
    elif isinstance(value, list):
        members = ((f"{path}[]", item) for item in value)
    for name, member in members:
        yield from shape(member, name)


@functools.cache
def recorded_reports() -> dict[str, list[dict[str, Any]]]:
    """The recorded gene reports, by GeneID."""
    files = sorted(FOLDER.glob("datasets/*dataset_report.json")) + sorted(FOLDER.glob("datasets/*thinned.json"))
    by_gene: dict[str, list[dict[str, Any]]] = {}
    for file in files:
        for report in json.loads(recording(f"datasets/{file.name}")).get("reports", ()):
            by_gene.setdefault(report["gene"]["gene_id"], []).append(report)
    return by_gene


@functools.cache
def recorded_shape() -> frozenset[tuple[str, str]]:
    return frozenset(pair for rows in recorded_reports().values() for row in rows for pair in shape(row))


def empty_members(value: Any, path: str = "") -> Iterator[str]:
    """Paths of members without a value."""
    if value in (None, "", [], {}):
        yield path
    for name, member in value.items() if isinstance(value, dict) else ():
        yield from empty_members(member, f"{path}/{name}")


TEXTS = st.text(alphabet="abcXYZ019-. ", max_size=8).map(str.strip)
PLACES = st.builds(
    GenomicPlace,
    assembly=st.sampled_from(["GRCh38.p14", "GRCm39", "GRCz11"]),
    accession=st.just("NC_000001.11"),
    start=st.integers(1, 10**6),
    end=st.integers(10**6, 10**9),
    strand=st.sampled_from([1, -1]),
)
GO_TERMS = st.builds(
    GoFact,
    id=st.just("GO:0003677"),
    name=st.just("DNA binding"),
    aspect=st.sampled_from(["function", "process", "component"]),
    qualifier=st.sampled_from(["", "enables"]),
    evidence=st.sampled_from(["", "IDA"]),
    pmids=st.sampled_from([(), ("9662397",)]),
)
GENES = st.builds(
    NcbiGeneFacts,
    gene_id=st.integers(1, 10**8).map(str),
    symbol=st.just("MADE1"),
    taxon_id=st.sampled_from([9606, 10090, 7955, 6239]),
    name=TEXTS,
    gene_type=st.sampled_from(["protein-coding", "pseudo", "ncRNA", "tRNA", "other"]),
    chromosomes=st.sampled_from([(), ("1",), ("X", "Y")]),
    map_location=st.sampled_from(["", "1p1", "8 B3.3|8 34.15 cM"]),
    aliases=st.lists(TEXTS.filter(bool), max_size=3).map(tuple),
    designations=st.lists(TEXTS.filter(bool), max_size=3).map(tuple),
    places=st.lists(PLACES, max_size=3).map(tuple),
    release=st.sampled_from(["", "GCF_000001405.40-RS_2023_10", "Annotation Release 109.20211119"]),
    summary=TEXTS,
    hgnc=st.sampled_from(["", "HGNC:1100"]),
    alliance=st.sampled_from(["", "MGI:98834", "WB:WBGene00000001"]),
    ensembl=st.sampled_from([(), ("ENSG00000012048",)]),
    omim=st.sampled_from([(), ("113705",)]),
    uniprot=st.sampled_from([(), ("P38398",)]),
    refseq=st.sampled_from([(), ("NM_007294", "NR_027676", "XM_000001")]),
    go_terms=st.lists(GO_TERMS, max_size=3).map(tuple),
)


@needs_recordings
@settings(max_examples=60, deadline=None)
@given(GENES)
def test_a_report_has_recorded_members_of_recorded_types_and_none_without_a_value(gene):
    report = {**reports.gene_report(gene), "query": [gene.gene_id]}

    assert set(shape(report)) <= recorded_shape()
    assert set(empty_members(report)) <= {"/gene/gene_ontology"}


@needs_recordings
def test_members_come_in_the_recorded_order():
    order = list(recorded_reports()[BRCA1][0]["gene"])
    order.insert(order.index("gene_groups") + 1, "summary")  # the recording is thinned
    report = document(starter_stand_in().reply(post_request(gene_ids=[int(BRCA1)])))["reports"][0]["gene"]

    assert list(report) == [name for name in order if name in report]


@needs_recordings
@pytest.mark.parametrize("gene_id", [BRCA1, BRAF])
def test_a_starter_gene_has_the_facts_of_its_recording(gene_id):
    rendered = document(starter_stand_in().reply(post_request(gene_ids=[int(gene_id)])))["reports"][0]["gene"]
    recorded = recorded_reports()[gene_id][0]["gene"]
    equal = {"gene_id", "symbol", "description", "tax_id", "taxname", "common_name", "type", "orientation"}
    equal |= {"chromosomes", "nomenclature_authority", "swiss_prot_accessions", "ensembl_gene_ids", "omim_ids"}

    for name in equal & recorded.keys():
        assert rendered[name] == recorded[name], name
    own, recorded_assemblies = (
        [annotation["assembly_accession"] for annotation in gene["annotations"]] for gene in (rendered, recorded)
    )
    assert own[: len(recorded_assemblies)] == recorded_assemblies  # one report is thinned
    places = [annotation["genomic_locations"][0]["genomic_accession_version"] for annotation in rendered["annotations"]]
    assert places[0] == recorded["annotations"][0]["genomic_locations"][0]["genomic_accession_version"]
    assert set(rendered["synonyms"]) <= set(recorded["synonyms"])
    assert rendered["synonyms"] == [name for name in recorded["synonyms"] if name in rendered["synonyms"]]


def test_a_pseudoautosomal_gene_has_two_places_on_one_assembly():
    gene = next(gene for gene in starter_genes() if gene.chromosomes == ("X", "Y") and gene.places)
    report = reports.gene_report(gene)["gene"]
    locations = report["annotations"][0]["genomic_locations"]

    assert report["chromosomes"] == ["X", "Y"]
    assert [location["sequence_name"] for location in locations] == ["X", "Y"]


# Replay


@functools.cache
def replay() -> Replay:
    return starter_stand_in().replay(Recordings(FOLDER).for_service(DATASETS))


@needs_recordings
def test_a_recorded_path_has_its_file():
    for name, path in (
        ("gene_id_26521_6392_dataset_report", "/gene/id/26521,6392/dataset_report"),
        ("symbol_BRAF_dataset_report", "/gene/symbol/BRAF/taxon/HOMO SAPIENS/dataset_report"),
        ("symbol_ABCDE_dataset_report", "/gene/symbol/ABCDE/taxon/HOMO SAPIENS/dataset_report"),
        ("accession_NM_003002_product_report", "/gene/accession/NM_003002/product_report"),
    ):
        reply = replay()(get_request(path))

        assert reply is not None
        assert reply.body == recording(f"datasets/{name}.json")


@needs_recordings
def test_a_posted_request_has_the_recorded_reports_of_its_names_joined():
    page = document(replay()(post_request(gene_ids=[6392, 673, 100271550], page_size=1000)))
    by_symbol = document(replay()(post_request(symbols_for_taxon={"symbols": ["braf"], "taxon": "homo sapiens"})))

    assert matches(page) == {"6392": ["6392"], "673": ["673"], "100271550": ["100271550"]}
    for report in page["reports"]:
        assert report["gene"] in [row["gene"] for row in recorded_reports()[report["query"][0]]]
    assert matches(by_symbol) == {BRAF: ["braf"]}


@needs_recordings
def test_a_name_without_a_recording_leaves_the_request_to_the_stand_in():
    assert replay()(post_request(gene_ids=[6392, 7157])) is None
    assert replay()(get_request("/gene/id/6392/dataset_report", other="1")) is None
    assert replay()(get_request("/version")) is None
