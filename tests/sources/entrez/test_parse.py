"""Every recorded gene record, whole; then shapes without a recording."""

import html
import re
from dataclasses import replace

import pytest

from biofact.core.errors import UpstreamError
from biofact.sources.entrez import parse
from biofact.sources.entrez.parse.trim import GeneSplitter
from tests.each_of import each_of
from tests.marks import requirement
from tests.recordings import recording
from tests.sources.entrez import gene_xml as xml
from tests.sources.entrez.recorded_genes import RECORDINGS

pytestmark = pytest.mark.quick


def trimmed(body, trim=parse.trimmed):
    splitter = GeneSplitter(trim)
    ((_, record),) = splitter.feed(body)
    splitter.close()
    return record


def without_annotations(parsed):
    return replace(parsed, gene=parsed.gene.model_copy(update={"go_terms": [], "phenotypes": []}))


@requirement("000 R1-efetch", "000 R3-fields", "000 R3-hgnc", "000 R3-ensembl", "000 R3-omim", "000 R3-refseq")
@each_of("name", RECORDINGS)
def test_a_recorded_gene_is_parsed_within_its_budget(name):
    body = recording(name)
    summary = re.search(rb"<Entrezgene_summary>(.*?)</Entrezgene_summary>", body, re.DOTALL)
    expected = RECORDINGS[name] | ({"summary": html.unescape(summary[1].decode())} if summary else {})

    parsed = parse.gene(trimmed(body))

    assert parsed.gene.selected().model_dump(mode="json") == expected


SMALL = [name for name in RECORDINGS if any(part in name for part in ("4747_older", "/efetch_gene_916", "9606_SEC"))]


@each_of("name", SMALL)
def test_trimming_a_recorded_gene_loses_nothing(name):
    assert_nothing_lost(name)


@pytest.mark.sweep
@each_of("name", [name for name in RECORDINGS if name not in SMALL])
def test_trimming_a_large_recorded_gene_loses_nothing(name):
    assert_nothing_lost(name)


def assert_nothing_lost(name):
    body = recording(name)
    whole = re.search(rb"<Entrezgene>.*</Entrezgene>", body, re.DOTALL)[0]

    record, annotated = trimmed(body), trimmed(body, parse.annotated)

    assert parse.gene(annotated) == parse.gene(whole)
    assert parse.gene(record) == without_annotations(parse.gene(whole))
    assert parse.generifs(trimmed(body, parse.with_generifs)) == parse.generifs(whole)
    assert len(record) < 30_000
    assert len(annotated) < 70_000


def test_a_replaced_gene_names_its_replacement_and_the_day():
    name = "entrez/efetch_gene_9606_SECONDARY_replaced_by_8666_single_Entrezgene_root.xml"

    parsed = parse.gene(trimmed(recording(name)))

    assert (parsed.status, parsed.current_ids, parsed.current_id) == ("secondary", ("8666",), "8666")
    assert parsed.discontinued_on == "2005-05-10"


def test_a_live_gene_has_no_replacement():
    parsed = parse.gene(xml.gene(gene_ref=xml.gene_with_names("TP53")))

    assert (parsed.status, parsed.current_ids, parsed.current_id, parsed.discontinued_on) == ("live", (), None, None)


def test_a_withdrawn_gene_without_replacement_says_when():
    date = xml.element("Date-std", xml.element("Date-std_year", "2019"), xml.element("Date-std_month", "5"))
    track = xml.element("Gene-track_discontinue-date", xml.element("Date", xml.element("Date_std", date)))

    parsed = parse.gene(xml.gene(gene_ref=xml.gene_with_names("GONE"), status="discontinued", track=track))

    assert (parsed.status, parsed.current_id, parsed.discontinued_on) == ("discontinued", None, "2019-05")


def test_several_replacements_are_all_listed_and_none_is_chosen():
    tags = "".join(xml.tag(name, value) for name, value in (("LocusID", 1), ("GeneID", 1), ("GeneID", 2)))
    track = xml.element("Gene-track_current-id", tags)

    parsed = parse.gene(xml.gene(gene_ref=xml.gene_with_names("SPLIT"), status="secondary", track=track))

    assert (parsed.current_ids, parsed.current_id) == (("1", "2"), None)


def test_the_authority_names_the_gene_and_ncbis_symbol_is_an_alias():
    reference = xml.gene_with_names("COX1", "cytochrome c oxidase subunit I", "MTCO1", "COX1")
    properties = xml.nomenclature("MT-CO1", "mitochondrially encoded cytochrome c oxidase I")

    gene = parse.gene(xml.gene("4512", gene_ref=reference, properties=properties)).gene

    assert (gene.symbol, gene.aliases) == ("MT-CO1", ["COX1", "MTCO1"])
    assert gene.name == "mitochondrially encoded cytochrome c oxidase I"
    assert gene.description == "cytochrome c oxidase subunit I"


def test_a_formal_name_is_the_authoritys_too():
    formal = xml.element(
        "Gene-ref_formal-name",
        xml.element(
            "Gene-nomenclature",
            xml.element("Gene-nomenclature_status", value="official"),
            xml.element("Gene-nomenclature_symbol", "Trp53"),
            xml.element("Gene-nomenclature_name", "transformation related protein 53"),
        ),
    )

    gene = parse.gene(xml.gene("22059", taxon=10090, gene_ref=xml.gene_with_names("p53", "protein 53") + formal)).gene

    assert (gene.symbol, gene.name) == ("Trp53", "transformation related protein 53")
    assert (gene.description, gene.aliases) == ("protein 53", ["p53"])


@each_of(
    ("reference", "symbol"),
    [(xml.element("Gene-ref_locus-tag", "b4024"), "b4024"), ("", "LOC948531")],
)
def test_a_gene_without_a_symbol_goes_by_its_locus_tag_or_number(reference, symbol):
    gene = parse.gene(xml.gene("948531", gene_ref=reference)).gene

    assert gene.symbol == symbol
    assert gene.name is None
    assert gene.aliases == []


def test_the_products_preferred_name_comes_first_and_known_names_are_not_repeated():
    names = "".join(xml.element("Prot-ref_name_E", name) for name in ("protein X", "gene X", "protein Y", "protein X"))
    prot = xml.element("Prot-ref", xml.element("Prot-ref_name", names), xml.element("Prot-ref_desc", "protein Y"))

    gene = parse.gene(xml.gene(gene_ref=xml.gene_with_names("X", "gene X"), prot=prot)).gene

    assert gene.other_designations == ["protein Y", "protein X"]


def gene_with_loci(*loci, **options):
    return parse.gene(xml.gene(gene_ref=xml.gene_with_names("A"), locus="".join(loci), **options)).gene


def place(gene):
    return gene.assembly_name, gene.accession, gene.start, gene.end, gene.strand


@each_of(
    ("heading", "assembly"),
    [
        ("Reference GRCh38.p14 Primary Assembly", "GRCh38.p14"),
        ("Reference GRCm39 C57BL/6J", "GRCm39"),
        ("Reference Release 6 plus ISO1 MT Primary Assembly", "Release 6 plus ISO1 MT"),
    ],
)
def test_the_assembly_is_named_in_the_heading(heading, assembly):
    assert place(gene_with_loci(xml.locus(heading))) == (assembly, None, 100, 200, 1)


def test_no_other_locus_replaces_the_reference():
    gene = gene_with_loci(
        xml.locus("Reference assembly", "NG_008492", "1"),
        xml.locus("Alternate T2T-CHM13v2.0", "NC_060932", "1"),
        xml.commentary(
            "genomic", label="RefSeqGene", accession="NG_008492", version="1", seqs=xml.placed_commentary(1, 2)
        ),
        xml.commentary("genomic"),
    )

    assert place(gene) == (None, None, None, None, None)


def test_a_chromosome_comes_before_patches_and_alternate_loci():
    gene = gene_with_loci(
        xml.locus("Reference GRCh38.p14 ALT_REF_LOCI_1", "NT_113891", "3", xml.placed_commentary(0, 9)),
        xml.locus(
            "Reference GRCh38.p14 Primary Assembly", "NC_000006", "12", xml.placed_commentary(999, 1999, "minus")
        ),
    )

    assert place(gene) == ("GRCh38.p14", None, 1000, 2000, -1)
    assert gene.notices == []


def test_a_gene_off_the_chromosomes_has_the_place_that_there_is():
    gene = gene_with_loci(
        xml.locus("Reference GRCh38.p14 ALT_REF_LOCI_1", "NT_187633", "1", xml.placed_commentary(0, 9))
    )

    assert place(gene) == ("GRCh38.p14", "NT_187633.1", 1, 10, 1)


def test_a_pseudoautosomal_gene_lies_on_x_and_a_notice_names_y():
    gene = gene_with_loci(
        xml.locus(
            "Reference GRCh38.p14 Primary Assembly", "NC_000024", "10", xml.placed_commentary(1_268_799, 1_325_217)
        ),
        xml.locus(
            "Reference GRCh38.p14 Primary Assembly", "NC_000023", "11", xml.placed_commentary(1_268_799, 1_310_380)
        ),
        chromosomes=("X", "Y"),
    )

    assert gene.chromosome == "X, Y"
    assert place(gene) == ("GRCh38.p14", None, 1_268_800, 1_310_381, 1)
    assert [(n.code, n.message) for n in gene.notices] == [("SEVERAL_VALUES", "Also at NC_000024.10:1268800-1325218.")]


MIX = xml.element(
    "Seq-loc_mix", xml.element("Seq-loc-mix", xml.placed_commentary(500, 599), xml.placed_commentary(100, 199))
)
PACKED = xml.element("Seq-loc_packed-int", xml.element("Packed-seqint", xml.interval(100, 199), xml.interval(500, 599)))
POINT = xml.element(
    "Seq-loc_pnt",
    xml.element(
        "Seq-point",
        xml.element("Seq-point_point", "41"),
        xml.element("Seq-point_strand", xml.element("Na-strand", value="minus")),
    ),
)


@each_of(("location", "expected"), [(MIX, (101, 600, 1)), (PACKED, (101, 600, 1)), (POINT, (42, 42, -1))])
def test_a_gene_in_pieces_reaches_from_the_first_to_the_last(location, expected):
    gene = gene_with_loci(xml.locus("Reference GRCh38.p14 Primary Assembly", seqs=xml.element("Seq-loc", location)))

    assert (gene.start, gene.end, gene.strand) == expected


def test_a_gene_on_both_strands_has_none():
    element = xml.element(
        "Seq-loc",
        xml.element(
            "Seq-loc_mix",
            xml.element("Seq-loc-mix", xml.placed_commentary(1, 9), xml.placed_commentary(20, 29, "minus")),
        ),
    )

    gene = gene_with_loci(xml.locus("Reference GRCh38.p14 Primary Assembly", seqs=element))

    assert (gene.start, gene.end, gene.strand) == (2, 30, None)


@each_of("position", ["", "-5", "1e3", "x"])
def test_a_position_that_is_no_number_is_nonsense(position):
    wrong = xml.locus("Reference GRCh38.p14 Primary Assembly", seqs=xml.placed_commentary(position, 9))

    with pytest.raises(UpstreamError, match="Seq-interval_from"):
        gene_with_loci(wrong)


def test_a_record_without_an_organism_is_refused_with_the_name_of_the_field():
    record = xml.gene(gene_ref=xml.gene_with_names("A")).replace(b"Homo sapiens", b" ")

    with pytest.raises(UpstreamError, match="Org-ref_taxname"):
        parse.gene(record)


NESTED, NESTED_END = "<Gene-commentary><Gene-commentary_products>", "</Gene-commentary_products></Gene-commentary>"


@each_of(
    "payload",
    [
        b"",
        b"{}",
        b"<Entrezgene>",
        b"<Entrezgene></Entrezgene>",
        b"<PubmedArticle></PubmedArticle>",
        b'<!DOCTYPE a [<!ENTITY b "c">]><Entrezgene>&b;</Entrezgene>',
        "<Entrezgene></Entrezgene>".encode("utf-16"),
        xml.gene(gene_ref=xml.gene_with_names("A&b;")),
        xml.gene(
            gene_ref=xml.gene_with_names("A"), comments=xml.refseqs(xml.curated(NESTED * 3000 + NESTED_END * 3000))
        ),
    ],
)
def test_a_body_that_is_no_gene_record_is_refused(payload):
    with pytest.raises(UpstreamError, match="cannot be read"):
        parse.gene(payload)
