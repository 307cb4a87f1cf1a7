"""Genes of a summary and a report: recorded reports, the same record as the XML makes, and a Datasets that lies."""

import asyncio
import functools
import json

import pytest

from biofact.core.errors import BiofactError, UpstreamError
from biofact.sandbox.dialects.gene_info import recorded_rows
from biofact.sandbox.faults import Fault
from biofact.sandbox.services.entrez import render
from biofact.sandbox.services.entrez.corpus import GeneCorpus, starter_genes
from biofact.sandbox.services.entrez.datasets import recorded_annotations
from biofact.sandbox.services.entrez.reports import gene_report
from biofact.sandbox.services.entrez.standin import docsum
from biofact.sources.entrez import parse
from biofact.sources.entrez.client import EntrezClient
from tests import virtual_time
from tests.each_of import each_of
from tests.recordings import FOLDER, recording
from tests.sandboxed import transported
from tests.sources.entrez.test_client import on_sandbox
from tests.sources.entrez.test_lies import NO_REPORTS

pytestmark = pytest.mark.quick

GENES = {gene.gene_id: gene for gene in starter_genes()}
TP53 = "NCBIGene:7157"
RECORDED = {
    "gene_id_26521_6392_dataset_report.json": ("NC_000011.10",),
    "gene_id_53942_83875_100271550_dataset_report.json": ("NC_000011.10",),
    "gene_id_66925_dataset_report.json": ("NC_000075.7",),
    "symbol_BRAF_dataset_report.json": ("NC_000007.14",),
    "symbol_smc2_dataset_report.json": ("NC_133176.1",),
    "gene_id_3105_HLA-A_alt_loci_20261009_thinned.json": ("NC_000006.12",),
    "symbol_BRCC1_alias_of_two_20261009_thinned.json": ("NC_000017.11", "NC_000015.10"),
    "cli_symbol_cGlr1_fly_2024.json": ("NT_033778.4",),
}
"""Recorded reports, and the reference sequences of their genes, as esummary names them."""


RECORDED_PLACES = {(9606, ("11",)): "NC_000011.10", (9606, ("7",)): "NC_000007.14", (10090, ("9",)): "NC_000075.7"}
"""Reference chromosomes by taxon and name."""


def recorded_genes():
    for name, accessions in RECORDED.items():
        for report in json.loads(recording(f"datasets/{name}"))["reports"]:
            yield report["gene"], accessions


def summary_of(gene, accessions):
    """A summary that agrees with a report."""
    places = [{"chrloc": "1", "chraccver": accession, "chrstart": 0, "chrstop": 1} for accession in accessions]
    organism = {"scientificname": gene["taxname"], "taxid": int(gene["tax_id"])}
    named = {"uid": gene["gene_id"], "name": gene["symbol"], "description": gene["description"]}
    return json.dumps({**named, "organism": organism, "genomicinfo": places}).encode()


def reported(gene, accessions, **options):
    return parse.reported_gene(trimmed(gene), summary=summary_of(gene, accessions), **options)


def trimmed(gene):
    """A gene as it is kept."""
    return json.dumps(parse.trimmed_gene(gene)).encode()


def test_a_recorded_report_is_read_with_its_place_on_the_reference():
    """Held against the payload by its own members: of two assemblies the summary's, of many loci the chromosome's."""
    for gene, accessions in recorded_genes():
        record = reported(gene, accessions)
        (place,) = [
            location["genomic_range"]
            for annotation in gene["annotations"]
            for location in annotation["genomic_locations"]
            if location["genomic_accession_version"] in accessions
        ]
        xrefs = record.cross_references

        assert (record.start, record.end) == (int(place["begin"]), int(place["end"])), gene["symbol"]
        assert record.strand == {"plus": 1, "minus": -1}[place["orientation"]]
        assert [notice.code for notice in record.notices] == ["NOT_COVERED"]  # alternate loci are no further places
        assert record.assembly_name in {"GRCh38.p14", "GRCm39", "GRCz12tu", "Release 6 plus ISO1 MT"}
        assert record.gene_type == {"PROTEIN_CODING": "protein-coding", "PSEUDO": "pseudo"}[gene["type"]]
        assert (xrefs.omim,) == tuple(gene.get("omim_ids", [None]))
        assert (xrefs.ensembl_gene,) == tuple(gene.get("ensembl_gene_ids", [None]))
        assert [f"UniProtKB:{name}" for name in gene.get("swiss_prot_accessions", ())] == (xrefs.uniprot or [])
        authority = gene["nomenclature_authority"]
        assert (xrefs.hgnc == authority["identifier"]) == (authority["authority"] == "HGNC")
        assert (xrefs.alliance or "").endswith(authority["identifier"]) == (authority["authority"] != "HGNC")


def test_go_terms_of_a_report_have_their_articles_or_come_by_the_xml():
    with_articles = json.loads(recording("datasets/symbol_BRCC1_alias_of_two_20261009_thinned.json"))
    (brca1,) = [report["gene"] for report in with_articles["reports"] if report["gene"]["symbol"] == "BRCA1"]
    without = json.loads(recording("datasets/gene_id_66925_dataset_report.json"))["reports"][0]["gene"]

    (term,) = reported(brca1, ("NC_000017.11",), include=("go_terms",)).go_terms
    with pytest.raises(UpstreamError):
        reported(without, ("NC_000075.7",), include=("go_terms",))

    assert (term.id, term.aspect, term.evidence, term.pmids) == ("GO:0003677", "function", "TAS", ["PMID:9662397"])
    assert reported(without, ("NC_000075.7",)).go_terms == []


def test_a_replayed_gene_has_its_recorded_place_in_the_summary_and_the_xml_too():
    """Tables of genes have no places: the services of one sandbox would not agree."""
    annotations = recorded_annotations(FOLDER)
    rows = [row for row in recorded_rows(FOLDER) if row.split("\t", 2)[1] in annotations]
    corpus = GeneCorpus([], rows, annotations)
    replayed = {gene["gene_id"]: gene for gene, _ in recorded_genes() if gene["gene_id"] in corpus.uids}
    for uid, gene_of_report in replayed.items():
        gene = corpus[uid]
        summary = json.dumps(docsum(gene)).encode()
        record = parse.reported_gene(trimmed(gene_of_report), summary=summary)
        by_xml = parse.gene(render.gene_xml(gene)).gene

        assert parse.docsum(summary).accessions == (RECORDED_PLACES[gene.taxon_id, gene.chromosomes],)
        for name in ("assembly_name", "accession", "start", "end", "strand", "release"):
            assert getattr(record, name) == getattr(by_xml, name), (gene.symbol, name)
        assert record.release in {"GCF_000001405.40-RS_2025_08", "GCF_000001635.27-RS_2024_02"}
    assert {"6392", "26521", "66925", "673"} <= replayed.keys()


def test_recorded_products_are_refseqs_curated_ones_first():
    by_gene = {}
    for name in ("gene_id_26521_6392", "gene_id_53942_83875_100271550", "gene_id_66925"):
        for report in json.loads(recording(f"datasets/{name}_product_report.json"))["reports"]:
            product = report["product"]
            payload = json.dumps(parse.trimmed_product(product)).encode()
            by_gene[product["symbol"]] = parse.refseqs(payload, summary=summary_of(product, ()))

    assert by_gene["SDHD"] == ("NM_001276503.2", "NM_001276504.2", "NM_001276506.2", "NM_003002.4", "NR_077060.2")
    assert by_gene["CNTN5"] == ("NM_001243270.2", "NM_001243271.2", "NM_014361.4", "NM_175566.2")
    assert by_gene["RPS12P21"] == ()


# Both ways


async def outcome(entrez, uid, include):
    try:
        return await entrez.get_gene(f"NCBIGene:{uid}", include=list(include))
    except BiofactError as failure:
        return type(failure), str(failure)


INCLUDES = [("aliases", "other_designations"), ("aliases", "other_designations", "cross_references")]


async def all_genes(uids, *faults):
    """Starter genes with each of the selections, from one cache."""
    async with transported(rate_factor=1000.0, timing=virtual_time.timing(rate_factor=1000.0)) as (transport, sandbox):
        sandbox.faults.set(*faults)
        entrez = EntrezClient(transport)
        genes = {}
        for include in INCLUDES:
            outcomes = await asyncio.gather(*(outcome(entrez, uid, include) for uid in uids))
            genes[include] = dict(zip(uids, outcomes, strict=True))
        return genes


@functools.cache
def both_ways(step):
    """Starter genes by their reports, and by their XML: without Datasets. Those that were withdrawn are among them."""
    uids = [uid for place, uid in enumerate(GENES) if place % step == 0 or GENES[uid].status != "live"]
    return virtual_time.run(all_genes(uids)), virtual_time.run(all_genes(uids, NO_REPORTS))


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.sweep)])
@each_of("include", INCLUDES)
def test_a_gene_is_the_same_by_both_ways(include, step):
    """Beside ``refseq``, which comes by include alone, and is in the order of accessions in a report."""
    by_report, by_xml = (genes[include] for genes in both_ways(step))
    count_reported = 0
    for uid, gene in by_report.items():
        expected = by_xml[uid]
        if isinstance(gene, tuple):
            assert gene == expected
            continue
        facts, xml_facts = (json.loads(record.model_dump_json(exclude={"notices"})) for record in (gene, expected))
        refseqs, xml_refseqs = (record["cross_references"].pop("refseq", []) for record in (facts, xml_facts))
        codes = [notice.code for notice in gene.notices]
        count_reported += "NOT_COVERED" in codes or "cross_references" in include

        assert facts == xml_facts, uid
        assert "cross_references" not in include or sorted(refseqs) == sorted(xml_refseqs), uid
        assert [code for code in codes if code not in {"NOT_COVERED", "LIST_CUT"}] == [
            notice.code for notice in expected.notices if notice.code != "LIST_CUT"
        ]
    assert count_reported > 130 / step  # those of type unknown, regions and retired genes come by XML in any case


# A Datasets that lies


def lie(*reports, **members):
    body = {"reports": list(reports), "total_count": len(reports), **members}
    return Fault("body", "ncbi-datasets", body=json.dumps(body).encode(), times=None)


def report(uid="7157", query=None, **changes):
    return {"gene": {**gene_report(GENES[uid])["gene"], **changes}, "query": [query or uid]}


LIES = {
    "another gene": lie(report("672")),
    "another gene under the ID": lie(report("672", "7157")),
    "the ID of another gene": lie(report("672", gene_id="7157", tax_id="10090", query="7157")),
    "a gene of the name in another organism": lie(report(tax_id="10090")),
    "a text where a list of IDs is due": lie(report(ensembl_gene_ids="ENSG00000141510")),
    "none of the reports": lie(),
    "no list": lie(reports="7157"),
    "a report that is a text": lie("7157"),
    "a gene that is a list": lie({"gene": [], "query": ["7157"]}),
    "a text where a list is due": lie(report(annotations="GRCh38.p14")),
    "a number where a text is due": lie(report(type=7)),
    "an unknown type": lie(report(type="NOVEL")),
    "a place of another assembly": lie(
        report(annotations=[{"genomic_locations": [{"genomic_accession_version": "NC_000017.10"}]}])
    ),
    "a place without an end": lie(
        report(
            annotations=[
                {"genomic_locations": [{"genomic_accession_version": "NC_000017.11", "genomic_range": {"begin": "1"}}]}
            ]
        )
    ),
    "a page of HTML": Fault("html", "ncbi-datasets", times=None),
    "a refusal": Fault("status", "ncbi-datasets", status=403, times=None),
    "a failure that stays": Fault("status", "ncbi-datasets", status=503, times=None),
    "a pause": Fault("status", "ncbi-datasets", status=429, headers={"Retry-After": "40"}, times=None),
    "an answer that never comes": Fault("delay", "ncbi-datasets", seconds=3600.0, times=None),
    "a body that is cut": Fault("truncate", "ncbi-datasets", at=40, times=None),
}


def tp53(*faults):
    async def scenario(entrez, sandbox):
        sandbox.faults.set(*faults)
        return await entrez.get_gene(TP53), [request.path for request in sandbox.requests]

    return on_sandbox(scenario)


@functools.cache
def tp53_by_xml():
    gene, _ = tp53(NO_REPORTS)
    return gene.model_dump()


@each_of("kind", LIES)
def test_a_datasets_that_lies_or_fails_leaves_the_record_to_the_xml(kind):
    gene, paths = tp53(LIES[kind])

    assert gene.model_dump() == tp53_by_xml()
    assert "/efetch.fcgi" in paths


def test_reports_in_another_order_doubled_or_beside_others_are_each_their_gene():
    async def scenario(entrez, sandbox):
        page = await entrez.get_genes_batch(["NCBIGene:672", TP53], slim=False)
        return page.items, [request.path for request in sandbox.requests]

    async def disordered(entrez, sandbox):
        sandbox.faults.set(lie(report("7157"), report("675"), report("672"), report("7157")))
        return await scenario(entrez, sandbox)

    (items, paths), (expected, _) = on_sandbox(disordered), on_sandbox(scenario)

    assert [gene.model_dump() for gene in items] == [gene.model_dump() for gene in expected]
    assert "/efetch.fcgi" not in paths


def test_a_gene_id_that_datasets_would_refuse_is_not_asked_for():
    """Datasets refuses a request with a GeneID beyond 32 bits, and all others that it names."""

    async def scenario(entrez, sandbox):
        page = await entrez.get_genes_batch(["NCBIGene:99999999999", TP53], slim=False)
        return page.items, [request.status for request in sandbox.requests if request.service == "ncbi-datasets"]

    (unknown, gene), statuses = on_sandbox(scenario)

    assert (unknown.error.code, gene.symbol, statuses) == ("ENTITY_NOT_FOUND", "TP53", [200])


def test_a_summary_that_fails_leaves_the_record_to_the_xml_and_the_first_failure_is_named():
    down = Fault("status", "ncbi", path="esummary", status=403, times=None)
    gene, _ = tp53(down)
    with pytest.raises(UpstreamError) as failure:
        tp53(down, Fault("status", "ncbi", path="efetch", status=404, times=None))

    assert (gene.symbol, gene.cross_references.refseq is not None) == ("TP53", True)
    assert "403" in str(failure.value)


def test_a_summary_on_another_assembly_than_the_report_is_not_joined_with_it():
    """The report of a gene is believed only where a sequence of its summary is in it."""
    gene = gene_report(GENES["7157"])["gene"]
    summary = json.dumps(docsum(GENES["7157"])).encode()

    other = summary.replace(b"NC_000017.11", b"NC_000017.12")

    assert parse.reported_gene(trimmed(gene), summary=summary).start == 7668421
    with pytest.raises(UpstreamError):
        parse.reported_gene(trimmed(gene), summary=other)
