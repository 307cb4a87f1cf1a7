"""Every recorded answer of Ensembl, whole; then shapes without a recording."""

import csv
import json
from functools import cache, partial

import pytest

from biofact.core.errors import UpstreamError
from biofact.sources.ensembl import parse
from biofact.sources.ensembl.identifiers import bare
from biofact.sources.ensembl.service import error_words, judge, says_absent
from biofact.transport.service import Answer, Transient
from tests.each_of import each_of
from tests.recordings import recording
from tests.sources.ensembl.recorded_answers import (
    BRAF_204,
    BRAF_TRANSCRIPTS,
    BRCA2,
    CANONICAL_EXONS,
    DIVISIONS,
    KRAS,
    KRAS_204,
    NEWER_GENES,
    NEWER_TRANSCRIPTS,
    SDHD_TRANSCRIPTS,
)

pytestmark = pytest.mark.quick

BRAF = "ensembl/lookup-braf-expanded-response.json"


@cache
def requests() -> list[dict[str, str]]:
    rows = csv.DictReader(recording("REQUESTS.tsv").decode().splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return [row for row in rows if row["service"] in {"ensembl", "ensembl-3", "ebisearch"}]


def recorded_rows_of(*endpoint: str, method: str = "GET") -> list[dict[str, str]]:
    """Recorded requests to an endpoint, split into parts: ``("lookup", "id")`` has the ID as its third."""
    rows = [row | {"parts": row["path"].removesuffix(".json").strip("/").split("/")} for row in requests()]
    return [row for row in rows if tuple(row["parts"][: len(endpoint)]) == endpoint and row["method"] == method]


def test_there_are_recordings_of_every_endpoint_that_is_read():
    known_values = {"archive/id", "ebisearch/ws", "info/species", "lookup/id", "lookup/symbol", "xrefs/id"}

    texts = {"/".join(row["path"].strip("/").split("/")[:2]) for row in requests()}

    assert texts - {"sequence/id"} == known_values  # sequence/* is no endpoint of ours


def refused_lookup(body):
    return judge(Answer(400, {"content-type": "application/json"}, body, ""))


@each_of("row", lambda: recorded_rows_of("lookup", "id"))
def test_a_recorded_lookup_is_read_as_what_it_is_of(row):
    body, request = recording(row["file"]), bare(row["parts"][2])
    if row["status"] == "400":
        assert (refused_lookup(body), says_absent(error_words(body))) == ("refused", False)
        return
    kind = json.loads(body)["object_type"]

    if kind == "Gene":
        gene = parse.gene(body)
        assert (gene.id, gene.category, parse.parent(body)) == (request, "biolink:Gene", None)
        assert gene.start < gene.end
    elif kind == "Transcript":
        transcript = parse.transcript(body)
        assert (transcript.id, transcript.category) == (request, "biolink:Transcript")
        assert transcript.parent_gene == parse.parent(body)
    else:
        assert (kind, request[:4], parse.parent(body)[:4]) == ("Translation", "ENSP", "ENST")


@each_of(("name", "expected"), [("lookup_id_ENSG00000133703_pori.json", KRAS), ("lookup_symbol_BRCA2.json", BRCA2)])
def test_a_recorded_gene_is_read_whole(name, expected):
    assert parse.gene(recording(f"ensembl/{name}")).model_dump(mode="json") == expected


@each_of(
    ("name", "expected"),
    [("lookup-transcript-response.json", BRAF_204), ("lookup_id_ENST00000557334_pori.json", KRAS_204)],
)
def test_a_recorded_transcript_is_read_whole(name, expected):
    assert parse.transcript(recording(f"ensembl/{name}")).model_dump(mode="json") == expected


@each_of(("name", "expected"), NEWER_GENES.items())
def test_a_gene_as_it_is_sent_today_is_read_whole(name, expected):
    record = parse.gene(recording(f"ensembl_3/lookup_id_{name}_expand_2025.json"))

    assert record.model_dump(mode="json") == expected


@each_of(("name", "expected"), NEWER_TRANSCRIPTS.items())
def test_a_transcript_as_it_is_sent_today_is_read_whole(name, expected):
    record = parse.transcript(recording(f"ensembl_3/lookup_id_{name}_expand_2025.json"))

    assert record.model_dump(mode="json") == expected


def test_all_transcripts_of_sdhd_have_a_length_and_whether_they_are_in_gencode_primary():
    transcripts = parse.transcripts(recording("ensembl_3/lookup_id_ENSG00000204370_expand_2025.json"))

    assert [
        (item.id, item.name, item.biotype, item.length, item.is_canonical, item.is_gencode_primary)
        for item in transcripts
    ] == SDHD_TRANSCRIPTS


def test_the_primary_set_of_gencode_says_nothing_of_a_zebrafish():
    body = recording("ensembl_3/lookup_id_ENSDARG00000017744_expand_2025.json")

    assert {row["gencode_primary"] for row in json.loads(body)["Transcript"]} == {0}
    assert {item.is_gencode_primary for item in parse.transcripts(body)} == {None}


@each_of(
    ("name", "transcript_id", "version"),
    [
        ("lookup-protein-response.json", "ENST00000496384", None),
        ("lookup_id_ENSP00000308495_pori.json", "ENST00000311936", 3),
        ("lookup_id_ENSP00000451856_pori.json", "ENST00000556131", 1),
        ("lookup_id_ENSP00000452512_pori.json", "ENST00000557334", 1),
        ("../ensembl_3/lookup_id_ENSP00000364699_2025.json", "ENST00000375549", 3),
    ],
)
def test_a_recorded_translation_leads_to_its_transcript(name, transcript_id, version):
    body = recording(f"ensembl/{name}")

    assert (parse.parent(body), parse.version(body)) == (transcript_id, version)


def test_the_expanded_lookup_of_braf_has_all_of_its_transcripts():
    transcripts = parse.transcripts(recording(BRAF))

    assert [
        (item.id, item.version, item.name, item.biotype, item.exon_count, item.translation and item.translation.length)
        for item in transcripts
    ] == BRAF_TRANSCRIPTS
    assert [item.id for item in transcripts if item.is_canonical] == ["ENST00000646891"]
    assert {item.parent_gene for item in transcripts} == {"ENSG00000157764"}


def test_the_canonical_transcript_of_braf_is_read_whole():
    (canonical,) = (transcript for transcript in parse.transcripts(recording(BRAF)) if transcript.is_canonical)

    assert canonical.model_dump(mode="json") == {
        "id": "ENST00000646891",
        "parent_gene": "ENSG00000157764",
        "biotype": "protein_coding",
        "name": "BRAF-220",
        "species": "homo_sapiens",
        "version": 1,
        "chromosome": "7",
        "start": 140730665,
        "end": 140924928,
        "strand": -1,
        "assembly_name": "GRCh38",
        "length": 6458,  # the sum of its exons: an older answer, which tells no length
        "is_canonical": True,
        "exon_count": 18,
        "exons": [{"id": exon_id, "start": start, "end": end} for exon_id, start, end in CANONICAL_EXONS],
        "translation": {"id": "ENSP00000493543", "length": 766, "start": 140734597, "end": 140924703},
        "cross_references": {"ensembl_gene": "ENSG00000157764"},
        "category": "biolink:Transcript",
    }


def test_the_gene_record_of_braf_lists_six_transcripts_in_the_order_of_use():
    in_use = ["646891", "644969", "288602", "496384", "469930", "646730"]

    gene = parse.gene(recording(BRAF))

    assert len(gene.selected(["cross_references"]).cross_references.ensembl_transcript) == 21
    assert gene.selected().model_dump(mode="json") == {
        "id": "ENSG00000157764",
        "symbol": "BRAF",
        "biotype": "protein_coding",
        "species": "homo_sapiens",
        "name": "B-Raf proto-oncogene, serine/threonine kinase",
        "version": 13,
        "chromosome": "7",
        "start": 140719327,
        "end": 140924928,
        "strand": -1,
        "assembly_name": "GRCh38",
        "canonical_transcript": "ENST00000646891.1",
        "transcript_count": 21,
        "cross_references": {"ensembl_transcript": [f"ENST00000{number}" for number in in_use]},
        "category": "biolink:Gene",
        "notices": [
            {
                "code": "LIST_CUT",
                "message": 'Listed: ensembl_transcript 6 of 21; include=["cross_references"] lists all.',
            }
        ],
    }


@each_of("row", lambda: recorded_rows_of("lookup", "symbol", method="POST"))
def test_a_recorded_lookup_of_symbols_returns_the_known_ones(row):
    symbols = json.loads(row["params"])["body"]["symbols"]

    result = parse.with_symbols(symbols, recording(row["file"])).items

    assert {gene.symbol for gene in result} <= set(symbols)
    assert {gene.species for gene in result} == {row["parts"][2]}
    assert "BR" not in {gene.symbol for gene in result}


@each_of("row", lambda: recorded_rows_of("lookup", "symbol"))
def test_a_recorded_lookup_of_one_symbol_returns_its_gene_or_reports_that_there_is_none(row):
    symbol = row["parts"][3]

    if row["status"] == "200":
        assert parse.gene_hit(recording(row["file"])).symbol == symbol
    else:
        assert (row["status"], parse.with_symbols([symbol], recording(row["file"])).items) == ("400", [])


@each_of("name", ["lookup_symbol_human-62b625-POST.json", "lookup_symbol_human-f58cd9-POST.json"])
def test_a_gene_found_by_symbol_becomes_a_hit(name):
    (result,) = parse.with_symbols(["BRCA2", "BR"], recording(f"ensembl/{name}")).items

    hit = result.candidate(match="symbol", score=1.0).model_dump(mode="json")

    omitted_fields = {"version", "canonical_transcript", "cross_references", "category"}
    row = {key: value for key, value in BRCA2.items() if key not in omitted_fields}
    assert hit == row | {"species": "human", "score": 1.0, "match": "symbol"}  # the species as it was asked for
    assert (result.names, result.aliases, result.is_minor) == (("BRCA2 DNA repair associated",), (), False)


@each_of("row", lambda: recorded_rows_of("archive", "id", method="POST"))
def test_every_recorded_archive_entry_is_of_an_asked_id(row):
    entries = json.loads(recording(row["file"]))

    archive_records = [parse.archived(entry["id"], json.dumps(entry).encode()) for entry in entries]

    assert [item.id for item in archive_records] == json.loads(row["params"])["body"]["id"]


def test_the_recorded_archive_calls_both_genes_current():
    entries = json.loads(recording("ensembl/archive_id_POST_release108.json"))

    archive_records = [parse.archived(entry["id"], json.dumps(entry).encode()) for entry in entries]

    assert archive_records == [
        parse.Archived("ENSG00000157764", "Gene", is_current=True, release="108", replacements=()),
        parse.Archived("ENSG00000248378", "Gene", is_current=True, release="108", replacements=()),
    ]


@each_of("row", lambda: recorded_rows_of("info", "species"))
def test_every_recorded_species_is_read(row):
    body = recording(row["file"])

    species = parse.species(body)

    assert [item.name for item in species] == [species["name"] for species in json.loads(body)["species"]]
    assert all(item.taxon_id and item.name in item.spellings for item in species)
    assert all(len(set(item.spellings)) == len(item.spellings) for item in species)


def test_the_recorded_divisions_have_all_their_species():
    counts = {name: len(parse.species(recording(f"ensembl/info_species_species-{name}.json"))) for name in DIVISIONS}

    assert counts == DIVISIONS


def test_a_recorded_species_has_its_names_and_no_word_that_is_none():
    species = {
        species.name: species for species in parse.species(recording("ensembl/info_species_species-bd9eab.json"))
    }

    assert species["homo_sapiens"] == parse.Species(
        "homo_sapiens",
        9606,
        (
            *("homo_sapiens", "Human", "human", "enshs", "homsap", "h_sapiens", "hsap", "9606"),
            *("homo sapiens", "homo", "hsapiens"),
        ),
        "GRCh38",
    )
    assert "Caenorhabditis elegans (Nematode, N2)" in species["caenorhabditis_elegans"].spellings
    assert {"C.elegans", "elegans", "N2"} <= set(species["caenorhabditis_elegans"].spellings)
    assert not any(word.startswith("reference") for item in species.values() for word in item.spellings)


def test_a_cut_recording_of_ebi_search_still_gives_its_hit():
    hits = parse.hits(0, recording("ensembl/ebisearch_ensembl_gene_query_melanoma.json"))

    (hit,) = hits.genes
    assert hits.count == 69231
    assert (hit.id, hit.symbol, hit.species) == ("ENSOMEG00000002703", "opn4.1", "oryzias_melastigma")
    assert hit.aliases == ("opn4", "opn4m2", "opn4l", "opn4c", "melanopsin")
    assert hit.names == ("melanopsin-like",)
    assert (hit.taxon_id, hit.biotype, hit.location) == (None, None, None)


@each_of("row", lambda: recorded_rows_of("ebisearch"))
def test_every_recorded_search_gives_hits(row):
    hits = parse.hits(0, recording(row["file"]))

    assert hits.count >= len(hits.genes) > 0
    assert all(hit.id.startswith("ENS") and hit.symbol and hit.species for hit in hits.genes)


def test_the_refusal_of_an_unknown_symbol_is_no_answer_about_another():
    refusal = recording("ensembl/http400_lookup_symbol_homo_sapiens_BR.json")

    assert parse.with_symbols(["BR"], refusal).items == []
    with pytest.raises(UpstreamError, match="asked for TP53"):
        parse.with_symbols(["TP53"], refusal)
    with pytest.raises(UpstreamError, match="asked for TP53"):
        parse.ids_with_symbol("TP53", refusal)
    with pytest.raises(UpstreamError, match="asked for ENSG00000141510"):
        parse.archived("ENSG00000141510", refusal)
    with pytest.raises(UpstreamError, match="asked for ENSG00000141510"):
        parse.xref_rows("ENSG00000141510", refusal)
    with pytest.raises(Transient):
        parse.species(b'{"error":"something bad has happened"}')


PLACE = {"species": "homo_sapiens", "start": 1, "end": 9, "strand": 1, "assembly_name": "GRCh38"}
GENE = {"id": "ENSG00000000001", "object_type": "Gene", "biotype": "lncRNA", "seq_region_name": "1", **PLACE}
TRANSCRIPT = {**GENE, "id": "ENST00000000001", "Parent": "ENSG00000000001", "object_type": "Transcript"}


def hits_body(**fields) -> bytes:
    return json.dumps(fields).encode()


def test_a_gene_without_a_name_goes_by_its_id_and_has_no_other_fields():
    assert parse.gene(hits_body(**GENE)).model_dump() == {
        **dict.fromkeys(("id", "symbol"), "ENSG00000000001"),
        "biotype": "lncRNA",
        "chromosome": "1",
        **PLACE,
        "cross_references": {},
        "category": "biolink:Gene",
    }


@each_of("field", ["id", "biotype"])
def test_a_gene_without_what_none_is_without_is_nonsense_that_names_the_field(field):
    with pytest.raises(UpstreamError, match=f"'{field}'"):
        parse.gene(hits_body(**GENE | {field: None}))


@each_of("field", ["id", "biotype", "Parent"])
def test_a_transcript_without_what_none_is_without_is_nonsense_that_names_the_field(field):
    with pytest.raises(UpstreamError, match=f"'{field}'"):
        parse.transcript(hits_body(**TRANSCRIPT | {field: ""}))


def test_the_transcript_in_mane_stands_before_longer_ones_and_the_canonical_one_before_all():
    coding = {"biotype": "protein_coding", "is_canonical": 0, "MANE": []}
    transcripts = [
        coding | {"id": "ENST00000000004", "Translation": {"length": 9}},
        coding | {"id": "ENST00000000003", "Translation": {"length": 99}},
        coding | {"id": "ENST00000000002", "Translation": {"length": 5}, "MANE": [{"type": "MANE_Plus_Clinical"}]},
        coding | {"id": "ENST00000000001", "is_canonical": 1, "version": 3},
    ]

    gene = parse.gene(hits_body(**GENE, Transcript=transcripts, canonical_transcript="ENST00000000001.4"))

    assert gene.cross_references.ensembl_transcript == [f"ENST0000000000{number}" for number in (1, 2, 3, 4)]
    assert (gene.canonical_transcript, gene.transcript_count) == ("ENST00000000001.4", 4)


@each_of(("strand", "starts"), [(1, [10, 30, 50]), (-1, [50, 30, 10])])
def test_exons_stand_in_the_order_of_transcription_for_any_order_in_the_body(strand, starts):
    exons = [{"id": f"ENSE{start}", "start": start, "end": start + 4} for start in (30, 10, 50)]

    transcript = parse.transcript(hits_body(**TRANSCRIPT | {"strand": strand}, Exon=exons, length=15))

    assert [exon.start for exon in transcript.exons] == starts
    assert (transcript.exon_count, transcript.length) == (3, 15)


def test_exons_beyond_the_fortieth_are_counted():
    exons = [{"id": f"ENSE{number}", "start": 10 * number, "end": 10 * number + 2} for number in range(1, 44)]

    whole = parse.transcript(hits_body(**TRANSCRIPT, Exon=exons))
    transcript = whole.selected()

    assert whole.selected(["all"]) == whole
    assert whole.exons[:40] == transcript.exons
    assert (len(whole.exons), len(transcript.exons), transcript.exon_count, transcript.length) == (43, 40, 43, 129)
    assert [notice.message for notice in transcript.notices] == ['Listed: exons 40 of 43; include=["exons"] lists all.']


@each_of("body", [b"", b"[", b'{"a":', b"<html></html>", b"null", b'"x"', b"[]"])
def test_a_body_that_is_no_object_may_be_one_next_time(body):
    for gene in (
        parse.gene,
        parse.transcript,
        parse.gene_hit,
        parse.parent,
        parse.species,
        partial(parse.hits, 0),
    ):
        with pytest.raises(Transient):
            gene(body)


CODING_GENE = GENE | {"biotype": "protein_coding", "display_name": "ABC1", "seq_region_name": "KI270728.1"}


@each_of(
    "fields",
    [
        *({"seq_region_name": name} for name in ("HSCHR6_MHC_COX_CTG1", "CHR_HSCHR17_1_CTG5", "HG2334_PATCH")),
        *(
            {"biotype": "processed_pseudogene"},
            {"display_name": None},
            {"description": "ABC pseudogene 1 [Source:HGNC Symbol]"},
            {"description": "ABC1-DEF2 readthrough [Source:HGNC Symbol]"},
        ),
    ],
)
def test_a_pseudogene_and_one_off_its_chromosome_or_without_a_name_are_minor_ones(fields):
    assert parse.gene_hit(hits_body(**CODING_GENE | fields)).is_minor
    assert not parse.gene_hit(hits_body(**CODING_GENE)).is_minor


def test_a_gene_that_codes_for_a_protein_weighs_more_than_the_first_hit_that_does_not():
    first_hit = parse.hits(0, hits_body(hitCount=1, entries=[{"id": "ENSG00000000001"}])).genes[0]
    coding, other = parse.gene_hit(hits_body(**CODING_GENE)), parse.gene_hit(hits_body(**GENE))

    assert coding.weight > other.merged(first_hit).weight > other.weight


def test_an_earlier_hit_weighs_more():
    entries = [{"id": "ENSG00000000001"}, {"id": "ENSG00000000002", "fields": {"gene_name": []}}]
    first, second = parse.hits(0, hits_body(hitCount=2, entries=entries)).genes

    assert first.weight > second.weight
    assert (second.symbol, second.names, second.aliases) == ("ENSG00000000002", (), ())
