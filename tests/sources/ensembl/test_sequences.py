"""Sequences by ID and region: their letters, their verification, and refusals."""

import json

import pytest
from Bio.Seq import Seq

from biofact.core.errors import AmbiguousQuery, EntityNotFound, UnresolvedEntity, UpstreamError
from biofact.sandbox import Fault
from biofact.sandbox.services.ensembl.corpus import rows_of_starter, whole_genes
from biofact.sandbox.services.ensembl.sequence import reverse_complement, translated
from biofact.sources.ensembl import parse
from biofact.sources.ensembl.identifiers import EnsemblRegion, normalise_region, read_region
from tests.each_of import each_of
from tests.recordings import recording
from tests.sources.ensembl.test_client import TP53, codes, run

pytestmark = pytest.mark.quick

TP53_201 = "ENST00000269305"
REGION = "17:7661779-7661800"
PLACE = "chromosome:GRCh38:17:7661779:7661800:1"
LETTERS = "ACGT" * 5 + "AC"


def sequence(owner, *faults, **options):
    return run(lambda ensembl: ensembl.get_sequence(owner, **options), *faults)


def read(owner, *faults, **options):
    return sequence(owner, *faults, **options)[0]


def sequence_answer(path, **fields):
    return Fault("body", path=path, body=json.dumps(fields).encode(), times=None)


# Accepted arguments


@each_of(
    ("owner", "options", "kind", "length"),
    [
        (TP53, {}, "genomic", 25768),
        (TP53_201, {}, "cdna", 2512),
        (TP53_201, {"type": "cds"}, "cds", 1182),
        (TP53_201, {"type": "protein"}, "protein", 393),
        (TP53_201, {"type": "genomic"}, "genomic", 19070),
        ("ENSP00000269305", {}, "protein", 393),
        ("ENSP00000269305.4", {}, "protein", 393),
        (TP53, {"type": "protein"}, "protein", 393),
        (REGION, {}, "genomic", 22),
    ],
)
def test_the_usual_sequence_or_the_one_asked_for(owner, options, kind, length):
    sequence = read(owner, **options)

    assert (sequence.type, sequence.length) == (kind, length)
    assert sequence.id == owner.partition(".")[0]


def test_the_product_of_a_gene_is_of_its_canonical_transcript_with_a_notice():
    gene, transcript = read(TP53, type="cds", last=9), read(TP53_201, type="cds", last=9)

    assert (gene.id, gene.transcript, gene.sequence) == (TP53, TP53_201, transcript.sequence)
    assert codes(gene) == ["LIST_CUT", "ASSUMED"]
    assert transcript.transcript is None


def test_protein_cds_cdna_and_genome_are_of_one_piece():
    protein = read(TP53_201, type="protein").sequence
    cds, cdna = read(TP53_201, type="cds").sequence, read(TP53_201, last=2512).sequence
    genomic = read(TP53_201, type="genomic", last=100).sequence

    assert str(Seq(cds).translate())[:-1] == protein
    assert cds in cdna
    assert cdna.startswith(genomic[:100][:20])


def test_both_strands_of_a_region_are_each_other_s_complement():
    forward, reverse = read(REGION), read(f"{REGION}:-1")

    assert str(Seq(forward.sequence).reverse_complement()) == reverse.sequence
    assert (forward.start, reverse.start, reverse.strand) == (7661779, 7661779, -1)


@each_of("owner", [TP53, "ENSG00000146648", "17:7661779-7663000:-1", TP53_201, "ENSP00000269305"])
def test_parts_make_up_the_whole(owner):
    whole = read(owner, last=180)
    parts = [read(owner, first=first, last=first + 59) for first in (1, 61, 121)]

    assert "".join(part.sequence for part in parts) == whole.sequence
    assert len({(part.length, part.start, part.end) for part in parts}) == 1


def test_a_long_sequence_is_cut_and_says_how_to_continue():
    first = read(TP53)
    second = read(TP53, first=2001)

    assert (first.first, first.last, len(first.sequence), first.length) == (1, 2000, 2000, 25768)
    assert "letters 1 to 2000 of 25768; first=2001 continues" in first.notices[0].message
    assert (second.first, second.last) == (2001, 4000)
    assert len(read(TP53, last=10_000).sequence) == 10_000


def test_the_last_letters_lead_back_to_the_first():
    end = read(TP53_201, type="protein", first=390)

    assert (end.first, end.last, len(end.sequence)) == (390, 393, 4)
    assert "first=1 begins" in end.notices[0].message


def test_a_retired_id_leads_to_what_replaced_it():
    sequence = read("ENSG00000199004")

    assert (sequence.id, sequence.replaces, codes(sequence)) == ("ENSG00000284190", "ENSG00000199004", ["REPLACED"])


def test_an_old_version_is_marked():
    assert codes(read(f"{TP53_201}.2", type="protein")) == ["REPLACED"]


def test_a_window_of_a_gene_costs_two_requests():
    _, request = sequence(TP53, first=5000, last=5100)

    assert len(request) == 2


# Refused arguments


@each_of("owner", ["TP53", "17", "ENSG1", "", "17:0-5", "chr17:1-5", "ENSE00002419584", "17:5"])
def test_anything_else_is_refused(owner):
    with pytest.raises(UnresolvedEntity):
        read(owner)


@each_of(
    ("text", "fixed"),
    [
        ("chr17:7,661,779-7,661,800", "17:7661779-7661800"),
        ("17:7661779..7661800:1", "17:7661779-7661800"),
        ("17:7661779-7661800(-)", "17:7661779-7661800:-1"),
        ("chrM:100-200", "MT:100-200"),
        ("x:1-2", "X:1-2"),
        ("NC_000017.11:7661779-7661800", "17:7661779-7661800"),
        ("NC_000017.11:g.7661779_7661800", "17:7661779-7661800"),
        ("CHR17:7661779-7661800", "17:7661779-7661800"),
        ("Chr17:7661779-7661800:1", "17:7661779-7661800"),
        ("chr17:7661779-7661800\u200b", "17:7661779-7661800"),
        ("CHR_HSCHR6_MHC_COX_CTG1:5,000-9,000", "CHR_HSCHR6_MHC_COX_CTG1:5000-9000"),
        ("2l:5-9", "2L:5-9"),
        ("KI270728.1:10-20", "KI270728.1:10-20"),
        ("https://www.ensembl.org/Homo_sapiens/Location/View?r=17:7661779-7661800", "17:7661779-7661800"),
        ("https://genome.ucsc.edu/cgi-bin/hgTracks?db=hg38&position=chr17:7661779-7661800", "17:7661779-7661800"),
        ("https://genome.ucsc.edu/cgi-bin/hgTracks?db=hg19&position=chr17:7661779-7661800", None),
        ("https://www.ensembl.org/Mus_musculus/Location/View?r=17:7661779-7661800", None),
        ("17:20-10", None),
        ("NC_000017.10:5-9", None),
        ("17:a-b", None),
        ("TP53", None),
        ("", None),
    ],
)
def test_a_region_in_another_notation_is_corrected_in_the_hint(text, fixed):
    assert normalise_region(text) == fixed
    if fixed and fixed != text:
        with pytest.raises(UnresolvedEntity) as raises:
            read(text)
        assert fixed in raises.value.hint
        assert raises.value.recovery.arguments == {"id_or_region": fixed}


@each_of(
    ("owner", "options", "words"),
    [
        ("17:20-10", {}, "ends before it begins"),
        ("17:83257400-83257500", {}, "ends? .*83257441"),
        ("17:90000000-90000010", {}, "No slice found"),
        ("17:1-5", {"species": "unicorn"}, "no species"),
        (TP53_201, {"type": "protein", "first": 394}, "has 393 letters"),
        (TP53_201, {"type": "protein", "first": 20, "last": 10}, "there are none"),
        (TP53, {"last": 10_001}, "10000 letters at most"),
    ],
)
def test_letters_that_there_are_not_are_refused(owner, options, words):
    with pytest.raises(AmbiguousQuery, match=words):
        read(owner, **options)


@each_of(
    ("owner", "kind", "words"),
    [
        ("ENST00000421143", "protein", "lncRNA, and codes for no protein"),
        ("ENST00000421143", "cds", "lncRNA, and codes for no protein"),
        ("ENSP00000269305", "cdna", "it is a protein"),
        (REGION, "cds", "it is a region"),
        ("ENSG99999999999", "genomic", "archive has none"),
        ("ENSG00999900001", "genomic", "may be any of"),
    ],
)
def test_an_entity_without_such_a_sequence_is_not_found(owner, kind, words):
    with pytest.raises(EntityNotFound, match=words):
        read(owner, type=kind)


# Lies and oddities


GOOD = {"query": REGION, "id": PLACE, "molecule": "dna", "seq": LETTERS}


def test_a_region_is_read_with_extra_fields_and_in_lower_case():
    sequence = read(REGION, sequence_answer("sequence/region", **{**GOOD, "seq": LETTERS.lower(), "masked": True}))

    assert (sequence.sequence, sequence.assembly_name) == (LETTERS.lower(), "GRCh38")


@each_of(
    "odd",
    [
        {"id": PLACE.replace(":17:", ":18:")},
        {"id": PLACE.replace("7661779", "7661778")},
        {"id": PLACE.replace(":1", ":-1")[: len(PLACE) + 1]},
        {"id": "ENSG00000141510"},
        {"id": None},
        {"seq": LETTERS[:-1]},
        {"seq": ""},
        {"seq": None},
        {"seq": 5},
        {"seq": ["ACGT"]},
        {"seq": "<html></html>"},
        {"seq": "MEEPQSDPSVEPPLSQETFSDL"},
        {"molecule": "protein"},
    ],
)
def test_a_region_s_answer_that_is_another_s_is_never_passed_on(odd):
    with pytest.raises(UpstreamError):
        read(REGION, sequence_answer("sequence/region", **{**GOOD, **odd}))


@each_of("renamed_field", ["id", "seq"])
def test_a_renamed_field_of_a_region_is_an_error(renamed_field):
    odd = {(name if name != renamed_field else f"{name}uence"): value for name, value in GOOD.items()}

    with pytest.raises(UpstreamError, match=renamed_field):
        read(REGION, sequence_answer("sequence/region", **odd))


PROTEIN = {"query": "ENSP00000269305", "id": "ENSP00000269305", "version": 4, "molecule": "protein", "seq": "M" * 393}


@each_of("field", ["desc", "query", "version", "molecule"])
def test_a_protein_is_read_without_what_is_not_needed(field):
    values = {name: value for name, value in PROTEIN.items() if name != field}

    assert read("ENSP00000269305", sequence_answer("sequence/id", **values)).sequence == "M" * 393


@each_of(
    "odd",
    [
        {"id": "ENSP00000275493"},
        {"id": None},
        {"seq": "M" * 392},
        {"seq": "m" * 393},
        {"seq": None},
        {"molecule": "dna"},
        {"sequence": "M" * 393, "seq": None},
    ],
)
def test_a_protein_s_answer_that_is_another_s_is_never_passed_on(odd):
    with pytest.raises(UpstreamError):
        read("ENSP00000269305", sequence_answer("sequence/id", **{**PROTEIN, **odd}))


def test_a_sequence_of_another_version_than_the_record_s_is_marked():
    assert codes(read("ENSP00000269305", sequence_answer("sequence/id", **{**PROTEIN, "version": 3}))) == ["MISMATCH"]
    assert codes(read("ENSP00000269305", sequence_answer("sequence/id", **{**PROTEIN, "version": "4"}))) == []


def test_a_sequence_missing_for_a_current_id_is_no_absence():
    missing = Fault("status", path="sequence/id", status=400, body=b'{"error":"ID \'ENSP00000269305\' not found"}')

    with pytest.raises(UpstreamError, match="lists ENSP00000269305 with a protein"):
        read("ENSP00000269305", missing)


def test_a_gene_without_a_canonical_transcript_has_no_product():
    lookup = {"id": TP53, "object_type": "Gene", "biotype": "protein_coding", "species": "homo_sapiens"}

    with pytest.raises(EntityNotFound, match="has no canonical transcript"):
        read(TP53, sequence_answer("lookup/id", **{TP53: lookup}), type="cds")


def test_a_canonical_transcript_of_another_gene_is_not_believed():
    gene = {"id": TP53, "object_type": "Gene", "biotype": "protein_coding", "canonical_transcript": "ENST00000275493.7"}
    other = {"id": "ENST00000275493", "object_type": "Transcript", "biotype": "lncRNA", "Parent": "ENSG00000146648"}
    place = {"seq_region_name": "7", "start": 1, "end": 9, "strand": 1, "assembly_name": "GRCh38"}
    lookup = {TP53: gene, "ENST00000275493": {**other, **place, "species": "homo_sapiens", "length": 5}}
    cdna = sequence_answer("sequence/id", id="ENST00000275493", molecule="dna", seq="ACGTA")

    def ask(ensembl):
        return ensembl.get_sequence(TP53, type="cdna")

    with pytest.raises(UpstreamError, match="answered ENSG00000141510 with ENSG00000146648"):
        run(ask, sequence_answer("lookup/id", **lookup), cdna)


def test_a_sequence_of_another_assembly_than_the_gene_s_is_an_error():
    place = {"id": "chromosome:GRCh37:17:59841266:59841337:1", "molecule": "dna", "seq": "A" * 72}

    with pytest.raises(UpstreamError, match="on GRCh38 and sent the sequence of GRCh37"):
        read("ENSG00000284190", sequence_answer("sequence/region", **place))


@each_of(
    ("kind", "body"),
    [("body", b"<html>busy</html>"), ("body", b'{"seq":"ACG'), ("body", b"[]"), ("body", b"null"), ("truncate", b"")],
)
def test_a_damaged_body_is_an_error(kind, body):
    fault = Fault(kind, path="sequence/region", body=body, times=None, **({"at": 30} if kind == "truncate" else {}))

    with pytest.raises(UpstreamError):
        read(REGION, fault)


# Recordings, and what the stand-in makes up


def test_the_recorded_protein_is_read():
    letters = parse.letters("ENSP00000419060", "protein", recording("ensembl/sequence-protein-single-response.json"))

    assert (len(letters.letters), letters.version, letters.letters[:12]) == (767, 2, "MAALSGGGGGGA")


def test_the_recorded_proteins_of_a_gene_are_each_as_long_as_its_lookup_says():
    rows = json.loads(recording("ensembl/sequence-protein-multiple-response-braf.json"))
    genes = json.loads(recording("ensembl/lookup-braf-expanded-response.json"))
    lengths = {
        item["Translation"]["id"]: item["Translation"]["length"]
        for item in genes["Transcript"]
        if "Translation" in item
    }

    read_back = {row["id"]: parse.letters(row["id"], "protein", json.dumps(row).encode()) for row in rows}
    assert {stable_id: len(value.letters) for stable_id, value in read_back.items() if stable_id in lengths} == {
        stable_id: lengths[stable_id] for stable_id in read_back if stable_id in lengths
    }
    assert len(read_back) > 5


def test_every_starter_transcript_with_exons_is_as_long_as_its_protein_needs():
    coding = [
        transcript
        for gene in whole_genes(rows_of_starter())
        for transcript in gene.get("Transcript", ())
        if transcript.get("Exon") and "start" in transcript.get("Translation", {})
    ]
    ensembl = [item["id"] for item in coding if item["id"].startswith("ENS")]
    lengths = {stable_id: read(stable_id, type="protein").length for stable_id in ensembl}

    assert lengths == {item["id"]: item["Translation"]["length"] for item in coding if item["id"] in lengths}
    assert len(lengths) >= 8


def test_made_sequences_are_complemented_and_translated_as_by_biopython():
    dna = "GCCACGGGCCGAACANAGG"

    assert reverse_complement(dna) == str(Seq(dna).reverse_complement())
    assert translated("GCCACGGGCCGAACA") == str(Seq("GCCACGGGCCGA").translate())


def test_parts_of_a_region_follow_its_strand():
    assert str(EnsemblRegion("X", 11, 20).part(1, 3)) == "X:11-13"
    assert str(EnsemblRegion("X", 11, 20, -1).part(1, 3)) == "X:18-20:-1"
    assert read_region(" chrX:11-20 ") == EnsemblRegion("X", 11, 20)
