"""Made genes, served as XML and as summary and reports: both ways make the same record, to the last field.

Of the differences between NCBI's own answers that 0099 names, the stand-ins have the order of RefSeqs alone.
"""

import json

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from biofact.dialects import datasets
from biofact.sandbox.services.entrez import render
from biofact.sandbox.services.entrez.corpus import GenomicPlace, GoFact, NcbiGeneFacts
from biofact.sandbox.services.entrez.datasets import DatasetsStandIn
from biofact.sandbox.services.entrez.standin import docsum
from biofact.sandbox.standin import ServiceRequest
from biofact.sources.entrez import parse
from biofact.sources.entrez.parse.trim import GeneSplitter
from tests.sources.entrez.made_genes import database

pytestmark = pytest.mark.quick

HUMAN = 9606
LISTS = ("aliases", "other_designations", "cross_references", "go_terms")
KINDS = ("protein-coding", "pseudo", "ncRNA", "tRNA", "rRNA", "snRNA", "snoRNA", "transposon", "other")
"""The types that Datasets lists."""
AUTHORITIES = {10090: "MGI:{}", 10116: "RGD:{}", 7955: "ZFIN:ZDB-GENE-990415-{}"}
NAMES = st.from_regex(r"[A-Z][a-z0-9-]{1,6}", fullmatch=True)
PHRASES = st.from_regex(r"[a-z]{3,6} ([a-z]{2,5}, )?[A-Z0-9]{1,3}", fullmatch=True)
REPLACED_IDS = st.sampled_from([None, "NCBIGene:9606"])
NUMBERS = st.integers(1, 9_999_999).map(str)


def several(values, most=3):
    return st.lists(values, max_size=most, unique=True).map(tuple)


def place(accession):
    return st.builds(
        GenomicPlace,
        assembly=st.just("GRCh38.p14"),
        accession=st.just(accession),
        start=st.integers(1, 10**6),
        end=st.integers(10**6, 10**9),
        strand=st.sampled_from([1, -1]),
    )


def on(chromosomes, *accessions):
    """The chromosomes of a gene, and its places."""
    return st.tuples(st.just(chromosomes), st.tuples(*map(place, accessions)))


LOCATIONS = st.one_of(
    on(()),
    on(("17",)),
    on(("17",), "NC_000017.11"),
    on(("MT",), "NC_012920.1"),
    on(("X", "Y"), "NC_000023.11", "NC_000024.10"),
    on(("6",), "NC_000006.12", "NT_167244.2", "NT_113891.3"),  # alternate loci beside a chromosome
    on(("6",), "NT_167244.2"),
    on(("Un",), "NW_025791820.1"),
    on(("17",), "NC_000017.11", "NC_000017.11"),  # two loci on one chromosome
)
GO_TERMS = st.builds(
    GoFact,
    id=st.integers(1, 9_999_999).map("GO:{:07}".format),
    name=PHRASES,
    aspect=st.sampled_from(["function", "process", "component"]),
    qualifier=st.sampled_from(["enables", "NOT involved_in"]),
    evidence=st.sampled_from(["IDA", "IEA"]),
    pmids=several(NUMBERS, 3).filter(bool),
)


@st.composite
def made_genes(draw):
    """Any live gene that Datasets lists."""
    taxon_id = draw(st.sampled_from([HUMAN, *AUTHORITIES]))
    chromosomes, places = draw(LOCATIONS)
    is_named = draw(st.booleans())
    return NcbiGeneFacts(
        gene_id=draw(NUMBERS),
        symbol=draw(NAMES),
        taxon_id=taxon_id,
        name=draw(PHRASES | st.just("")),
        gene_type=draw(st.sampled_from(KINDS)),
        chromosomes=chromosomes,
        map_location=draw(st.sampled_from(["", "17q21.31", "8 B3.3|8 34.15 cM"])),
        aliases=draw(several(NAMES)),
        designations=draw(several(PHRASES)),
        official_symbol=draw(NAMES) if is_named else "",
        official_name=draw(PHRASES) if is_named else "",
        nomenclature=draw(st.sampled_from(["Official", "Interim"])) if is_named else "",
        places=places,
        release="GCF_000001405.40-RS_2023_10" if places else "",
        summary=draw(PHRASES | st.just("")),
        hgnc=draw(NUMBERS.map("HGNC:{}".format) | st.just("")) if taxon_id == HUMAN else "",
        alliance=draw(NUMBERS).join(AUTHORITIES[taxon_id].split("{}")) if taxon_id in AUTHORITIES else "",
        ensembl=draw(several(st.integers(1, 10**9).map("ENSG{:011}".format), 2)),
        omim=draw(several(st.integers(100_000, 699_999).map(str), 2)),
        uniprot=draw(several(st.from_regex(r"[OPQ][0-9][A-Z0-9]{3}[0-9]", fullmatch=True))),
        refseq=draw(several(st.from_regex(r"[NX][MR]_[0-9]{6}", fullmatch=True))),
        go_terms=draw(several(GO_TERMS)),
    )


def sent(splitter, body):
    """The records that a splitter cuts out of an answer."""
    records = dict(splitter.feed(body))
    splitter.close()
    return records


def report(gene, request, member, trim):
    """The report of a gene as it is kept, by the stand-in's answer."""
    stand_in = DatasetsStandIn(database(gene).corpus)
    reply = stand_in.reply(ServiceRequest("POST", request.path, (), body=json.dumps(request.json).encode()))
    return sent(datasets.report_splitter(member, trim), reply.body)[gene.gene_id]


def by_reports(gene, replaces):
    summary = json.dumps(docsum(gene)).encode()
    uids = [gene.gene_id]
    products = report(gene, datasets.product_reports(uids), "product", parse.trimmed_product)
    return parse.reported_gene(
        report(gene, datasets.dataset_reports(uids), "gene", parse.trimmed_gene),
        summary=summary,
        include=LISTS,
        replaces=replaces,
        refseqs=parse.refseqs(products, summary=summary),
    )


def by_xml(gene, replaces):
    body = render.PROLOG + render.gene_xml(gene) + render.END
    record = parse.gene(sent(GeneSplitter(parse.annotated), body)[gene.gene_id], replaces=replaces)
    return record.gene.selected(LISTS)


def check_both_ways(gene, replaces):
    records = by_reports(gene, replaces), by_xml(gene, replaces)
    facts, xml_facts = (json.loads(record.model_dump_json()) for record in records)
    for record in (facts, xml_facts):  # a report has its transcripts in the order of their accessions
        record["cross_references"]["refseq"] = sorted(record["cross_references"].get("refseq", []))
    assert facts == xml_facts


@given(made_genes(), REPLACED_IDS)
@settings(max_examples=15, deadline=None, derandomize=True, phases=[Phase.generate])  # shrinking takes minutes
def test_a_made_gene_is_the_same_by_both_ways(gene, replaces):
    check_both_ways(gene, replaces)


@pytest.mark.sweep
@given(made_genes(), REPLACED_IDS)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_many_made_genes_are_the_same_by_both_ways(gene, replaces):
    check_both_ways(gene, replaces)
