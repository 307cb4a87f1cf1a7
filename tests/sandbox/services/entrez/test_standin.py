"""NCBI Gene's stand-in: the parser reads its answers without loss, and they have the shape of real ones."""

import dataclasses
import functools
import io
import itertools
import json
import re
from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from Bio import Entrez
from Bio.Entrez.Parser import DataHandler
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from biofact.sandbox.services.entrez import render
from biofact.sandbox.services.entrez.corpus import TAXA, GeneCorpus, GenomicPlace, NcbiGeneFacts, starter_genes
from biofact.sandbox.services.entrez.standin import GeneDatabase, docsum, stand_ins
from biofact.sources.entrez import parse
from biofact.sources.entrez.parse.trim import GeneSplitter

pytestmark = pytest.mark.quick

STARTER = {gene.gene_id: gene for gene in starter_genes()}
DATABASE = GeneDatabase(GeneCorpus(starter_genes()))
KINDS = ("protein-coding", "pseudo", "ncRNA", "tRNA", "biological-region", "unknown", "other")
OTHER_GENES = (
    render.OTHER_GENE,
    render.OTHER_MIM,
    render.OTHER_UNIPROT,
    render.OTHER_UNREVIEWED,
    "NC_999999",
    "NP_999999",
)


def read(gene: NcbiGeneFacts) -> parse.ParsedGene:
    return parse.gene(render.gene_xml(gene))


def facts_of(gene: NcbiGeneFacts) -> dict[str, object]:
    """The record with the given facts, without lists, empty fields and notices."""
    place = gene.places[0] if gene.places else None
    is_human = gene.taxon_id == 9606
    xrefs = {
        "hgnc": gene.hgnc if is_human else "",
        "ensembl_gene": lowest(gene.ensembl),
        "omim": lowest(gene.omim) if gene.gene_type != "unknown" else "",
        "alliance": gene.alliance if not is_human else "",
    }
    facts = {
        "id": f"NCBIGene:{gene.gene_id}",
        "symbol": gene.official_symbol or gene.symbol,
        "organism": gene.taxon.scientific,
        "name": gene.official_name or gene.name,
        "description": gene.name if gene.official_name not in {"", gene.name} else "",
        "taxon_id": gene.taxon_id,
        "gene_type": gene.gene_type,
        "status": gene.status,
        "chromosome": ", ".join(gene.chromosomes),
        "map_location": gene.map_location,
        "summary": gene.summary,
        "category": "biolink:Gene",
        "release": gene.release,
    }
    if place:
        accession = None if place.accession.startswith("NC_") else place.accession
        facts |= {"assembly_name": place.assembly, "accession": accession}
        facts |= {"start": place.start, "end": place.end, "strand": place.strand}
    return {key: value for key, value in facts.items() if value} | {"cross_references": without_empty(xrefs)}


def lists(gene: NcbiGeneFacts) -> dict[str, list[str]]:
    """The lists with the given facts, each whole."""
    facts = facts_of(gene)
    curated = [accession for accession in gene.refseq if accession[0] == "N"]
    return {
        "aliases": distinct((gene.symbol, *gene.aliases), remainder={facts["symbol"]}),
        "other_designations": distinct(gene.designations, remainder={facts.get("name"), gene.name}),
        "refseq": distinct(curated or gene.refseq),
        "uniprot": [f"UniProtKB:{accession}" for accession in distinct(gene.uniprot)],
    }


def annotated(gene: NcbiGeneFacts) -> list[dict[str, object]]:
    terms = (term for aspect in ("function", "process", "component") for term in gene.go_terms if term.aspect == aspect)
    facts = ({**dataclasses.asdict(term), "pmids": curies(term.pmids)} for term in terms)
    return [{name: value for name, value in fact.items() if value} for fact in facts]


def diseases(gene: NcbiGeneFacts) -> list[dict[str, object]]:
    return [
        {
            "name": phenotype.name,
            "omim_ids": [phenotype.omim],
            "medgen_ids": [phenotype.medgen],
            "sources": ["GTR", "MedGen", "OMIM"],
        }
        for phenotype in gene.phenotypes
    ]


def curies(pmids: Iterable[str]) -> list[str]:
    return [f"PMID:{pmid}" for pmid in sorted(pmids, key=int, reverse=True)]


def without_empty(values: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in values.items() if value}


def lowest(values: tuple[str, ...]) -> str:
    return min(values, key=lambda value: (len(value), value), default="")


def distinct(values, remainder=frozenset()) -> list[str]:
    return [value for value in dict.fromkeys(values) if value and value not in remainder]


def check_round_trip(gene: NcbiGeneFacts) -> None:
    parsed = read(gene)

    record = parsed.gene.model_dump(mode="json", exclude={"notices"})
    xrefs = record["cross_references"]
    output = {
        "aliases": record.pop("aliases", []),
        "other_designations": record.pop("other_designations", []),
        "refseq": xrefs.pop("refseq", []),
        "uniprot": xrefs.pop("uniprot", []),
    }
    assert record.pop("go_terms", []) == annotated(gene)
    assert record.pop("phenotypes", []) == diseases(gene)
    assert record == facts_of(gene)
    assert output == lists(gene)
    assert parsed.current_id == (gene.current_id or None)
    assert parsed.discontinued_on == (gene.discontinued_on or None)


def test_a_starter_gene_is_read_as_it_was_written(subtests):
    for gene in STARTER.values():
        with subtests.test(gene=gene):
            check_round_trip(gene)


words = (
    st.text(
        st.characters(categories=("L", "N", "P", "S"), max_codepoint=0x2FFF) | st.just(" "), min_size=1, max_size=30
    )
    .map(lambda text: " ".join(text.split()))
    .filter(bool)
)
several_words = st.lists(words, max_size=4, unique=True).map(tuple)
digits = st.integers(1, 99_999_999).map(str)
mims = st.integers(100_000, 699_999).map(str)
ensembl_ids = st.integers(0, 10**11 - 1).map("ENSG{:011}".format)
uniprot_ids = st.from_regex(r"[OPQ][0-9][A-Z0-9]{3}[0-9]", fullmatch=True).filter(
    lambda result: result not in OTHER_GENES
)
refseq_ids = st.from_regex(r"[NX][MR]_[0-9]{6,9}", fullmatch=True)
places = st.tuples(st.integers(1, 10**8), st.integers(0, 10**6), st.sampled_from((1, -1))).map(
    lambda sample: GenomicPlace("GRCh38.p14", "NC_000001.11", sample[0], sample[0] + sample[1], sample[2])
)


@st.composite
def made_genes(draw) -> NcbiGeneFacts:
    """Any gene that NCBI could describe, of any of the taxa."""
    taxon_id = draw(st.sampled_from(sorted(TAXA)))
    is_named = draw(st.booleans())
    place = draw(st.lists(places, max_size=1).map(tuple))
    authority = {10090: "MGI:{}", 10116: "RGD:{}"}.get(taxon_id)
    return NcbiGeneFacts(
        gene_id=draw(digits),
        symbol=draw(words),
        taxon_id=taxon_id,
        name=draw(words | st.just("")),
        gene_type=draw(st.sampled_from(KINDS)),
        chromosomes=draw(st.sampled_from(((), ("1",), ("X", "Y"), ("MT",)))),
        map_location=draw(words | st.just("")),
        aliases=draw(several_words),
        designations=draw(several_words),
        official_symbol=draw(words) if is_named else "",
        official_name=draw(words) if is_named else "",
        nomenclature=draw(st.sampled_from(("Official", "Interim"))) if is_named else "",
        places=place,
        release="GCF_000001405.40-RS_2023_10" if place else "",
        summary=draw(words | st.just("")),
        hgnc=draw(digits.map("HGNC:{}".format)) if taxon_id == 9606 else "",
        alliance=authority.format(draw(digits)) if authority else "",
        ensembl=draw(st.lists(ensembl_ids, max_size=2, unique=True).map(tuple)),
        omim=draw(st.lists(mims, max_size=2, unique=True).map(tuple)),
        uniprot=draw(st.lists(uniprot_ids, max_size=3, unique=True).map(tuple)),
        refseq=draw(st.lists(refseq_ids, max_size=3, unique=True).map(tuple)),
        pmids=draw(st.lists(digits, max_size=3, unique=True).map(tuple)),
    )


@given(made_genes())
@settings(max_examples=4, deadline=None, derandomize=True)
def test_a_made_up_gene_is_read_as_it_was_written(gene):
    check_round_trip(gene)


@pytest.mark.sweep
@given(made_genes())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_many_made_up_genes_are_read_as_they_were_written(gene):
    check_round_trip(gene)


@given(made_genes())
@settings(max_examples=10, deadline=None, derandomize=True)
def test_nothing_of_the_decoys_is_read(gene):
    check_decoys(gene)


@pytest.mark.sweep
@given(made_genes())
@settings(max_examples=50, deadline=None, derandomize=True)
def test_nothing_of_the_decoys_of_many_genes_is_read(gene):
    check_decoys(gene)


def check_decoys(gene: NcbiGeneFacts) -> None:
    assume(not any(value in str(gene) for value in OTHER_GENES))  # a gene that is itself called like one proves nothing
    record = read(gene).gene.model_dump_json(exclude={"summary", "notices"})

    assert not [value for value in OTHER_GENES if value in record]


def test_a_gene_cut_out_of_a_stream_is_read_as_the_whole_one():
    body = b"".join(DATABASE.fetch(list(STARTER)))
    splitter = GeneSplitter()

    records = [
        record for position in range(0, len(body), 5000) for record in splitter.feed(body[position : position + 5000])
    ]
    splitter.close()

    assert [gene_id for gene_id, _ in records] == list(STARTER)
    for gene_id, trimmed in records:
        whole = read(STARTER[gene_id])
        bare = whole.gene.model_copy(update={"go_terms": [], "phenotypes": []})
        assert parse.gene(trimmed) == dataclasses.replace(whole, gene=bare)


def test_biopython_reads_and_validates_every_record():
    sets = Entrez.read(io.BytesIO(b"".join(DATABASE.fetch(list(STARTER)))), validate=True)

    assert [str(record["Entrezgene_track-info"]["Gene-track"]["Gene-track_geneid"]) for record in sets] == list(STARTER)
    gene_ref = sets[list(STARTER).index("672")]["Entrezgene_gene"]["Gene-ref"]
    assert gene_ref["Gene-ref_locus"] == "BRCA1"


@functools.cache
def models() -> dict[str, re.Pattern[str]]:
    """The content model of each element by NCBI's DTDs: a pattern over the names of its children."""
    texts = (path.read_text("utf-8") for path in Path(DataHandler.global_dtd_dir).glob("NCBI_*.mod.dtd"))
    declarations = re.findall(r"<!ELEMENT\s+(\S+)\s+(\([^>]*\)[?*+]?)\s*>", "\n".join(texts))
    return {name: re.compile(_pattern(model)) for name, model in declarations}


def _pattern(model: str) -> str:
    elements = re.sub(r"%INTEGER;|%REAL;|#PCDATA|[\s,]+", " ", model)
    return re.sub(r"[\w-]+", lambda name: f"(?:<{name[0]}>)", elements).replace(" ", "")


def stands_in_order(parent: str, *children: str) -> bool:
    return bool(models()[parent].fullmatch("".join(f"<{child}>" for child in children)))


genes = given(gene=made_genes() | st.sampled_from(list(STARTER.values())))


@genes
@settings(max_examples=8, deadline=None, derandomize=True)
def test_elements_stand_in_the_order_of_the_dtd(gene):
    check_order(gene)


@pytest.mark.sweep
@genes
@settings(max_examples=60, deadline=None, derandomize=True)
def test_elements_of_many_genes_stand_in_the_order_of_the_dtd(gene):
    check_order(gene)


def check_order(gene: NcbiGeneFacts) -> None:
    for element in fromstring(render.gene_xml(gene)).iter():
        children = [child.tag for child in element]
        assert not children or stands_in_order(element.tag, *children), (element.tag, children)


def test_the_order_check_knows_a_wrong_order():
    kind, heading, label = (f"Gene-commentary_{part}" for part in ("type", "heading", "label"))

    assert stands_in_order("Gene-commentary", kind, heading, label)
    assert not stands_in_order("Gene-commentary", kind, label, heading)
    assert not stands_in_order("Gene-commentary", heading)


def test_padding_makes_a_record_as_large_as_a_real_one():
    padding = render.GENE_PADDING
    padded = b"".join(padding.pieces(render.gene_xml(STARTER["672"])))

    assert len(padded) == pytest.approx(padding.size.of("672"), abs=5_000)
    assert parse.gene(padded) == read(STARTER["672"])
    Entrez.read(io.BytesIO(render.PROLOG + padded + render.END), validate=True)
    retired = render.gene_xml(STARTER["9606"])
    assert b"".join(padding.pieces(retired)) == retired


def test_unknown_genes_are_missing_from_a_fetch():
    body = b"".join(DATABASE.fetch(["999999999"]))

    assert len(fromstring(body)) == 0


def test_a_summary_counts_from_zero_and_backwards_on_the_minus_strand():
    assert docsum(STARTER["7157"])["genomicinfo"] == [
        {"chrloc": "17", "chraccver": "NC_000017.11", "chrstart": 7687489, "chrstop": 7668420, "exoncount": ""}
    ]
    assert docsum(STARTER["7157"])["chrstart"] == 7668420
    assert docsum(STARTER["916"])["genomicinfo"][0]["chrstart"] == 118304729


def test_a_summary_spells_its_lists_as_ncbi_does():
    summary = docsum(STARTER["293"])

    assert summary["otheraliases"].startswith("AAC3, ANT, ANT 2")
    assert summary["otherdesignations"].startswith("ADP/ATP translocase 3|ADP,ATP carrier protein 3|")
    assert (summary["chromosome"], summary["chrsort"], summary["mim"]) == ("X, Y", "X", ["300151", "403000"])
    assert [place["chraccver"] for place in summary["genomicinfo"]] == ["NC_000023.11", "NC_000024.10"]


def test_a_summary_says_what_became_of_a_gene():
    assert {(gene.status, docsum(gene)["status"]) for gene in starter_genes()} == {
        ("live", ""),
        ("secondary", "1"),
        ("discontinued", "2"),
    }
    assert docsum(STARTER["9606"])["currentid"] == "8666"


def test_a_summary_is_read_as_it_was_written(subtests):
    for gene in STARTER.values():
        with subtests.test(gene=gene):
            summary = parse.docsum(docsum(gene))

            facts = facts_of(gene)
            assert summary.uid == gene.gene_id
            assert (summary.symbol, summary.name) == (facts["symbol"], facts.get("name"))
            assert (summary.organism, summary.taxon_id) == (gene.taxon.scientific, gene.taxon_id)
            assert (summary.chromosome, summary.map_location) == (facts.get("chromosome"), facts.get("map_location"))
            assert list(summary.aliases) == lists(gene)["aliases"]
            assert list(summary.designations) == lists(gene)["other_designations"]
            assert (summary.status, summary.current_id) == (gene.status, gene.current_id or None)
            assert summary.mim == gene.omim
            assert summary.weight == gene.weight


def test_an_unknown_gene_has_no_summary():
    assert DATABASE.docsum("999999999") is None


def test_every_summary_is_json_with_the_same_keys():
    keys = {tuple(json.loads(json.dumps(docsum(gene)))) for gene in starter_genes()}

    assert len(keys) == 1


def test_the_gene_with_the_most_names_and_references_comes_first():
    shared = DATABASE.lookup("gene name", "psa")

    assert DATABASE.rank(["106783576", "7157", "653303"], "relevance")[0] == "7157"
    assert DATABASE.rank(shared, "relevance") == DATABASE.rank(reversed(shared), "") == ["354", "9520"]


def test_the_order_of_equal_genes_is_not_that_of_their_ids():
    uids = [str(number) for number in range(1000, 1100)]
    alike_genes = GeneDatabase(GeneCorpus([NcbiGeneFacts(gene_id=uid, symbol=f"ABC{uid}") for uid in uids]))

    ranked = alike_genes.rank(uids, "relevance")

    assert ranked == alike_genes.rank(reversed(uids), "relevance")
    assert sorted(ranked) == uids
    later_first = sum(int(first) > int(second) for first, second in itertools.pairwise(ranked))
    assert 30 < later_first < 70


def test_genes_are_sorted_by_symbol_when_asked():
    assert DATABASE.rank(["7157", "672", "25", "12189"], "name") == ["25", "672", "12189", "7157"]


def test_papers_come_newest_first():
    papers = DATABASE.links("672", "gene_pubmed")

    assert len(papers) == 32
    assert papers == sorted(papers, key=int, reverse=True)


def test_no_papers_and_an_unknown_link_name_are_distinguished():
    assert DATABASE.links("675", "gene_pubmed") == []
    assert DATABASE.links("999999999", "gene_pubmed") == []
    assert DATABASE.links("672", "gene_pubmed_rif") == []
    assert DATABASE.links("672", "gene_colour") is None
    assert DATABASE.linknames("pubmed") == DATABASE.linknames("")
    assert DATABASE.linknames("protein") == []


def test_there_is_one_stand_in_for_the_gene_database_and_one_for_reports():
    stand_in, reports = stand_ins(None)

    assert stand_in.database.name == "gene"
    assert reports.service.name == "ncbi-datasets"
    assert set(stand_in.database.all_uids()) == set(STARTER)


def test_facts_of_a_gene_can_be_changed_for_a_test():
    gene = dataclasses.replace(STARTER["672"], symbol="BRCA9", official_symbol="BRCA9")

    assert GeneDatabase(GeneCorpus([gene])).lookup("sym", "brca9") == ["672"]
    assert GeneDatabase(GeneCorpus([gene])).lookup("sym", "brca1") == []
