"""Upstreams that lie, contradict themselves or send odd shapes: honest errors, and never another gene."""

import json

import pytest
from pydantic import BaseModel

from biofact.core.envelopes import Cursor
from biofact.core.errors import AmbiguousQuery, EntityNotFound, UpstreamError
from biofact.sandbox import Fault
from biofact.sources.ensembl.identifiers import SEARCH
from biofact.sources.ensembl.search import EnsemblPosition
from tests.each_of import each_of
from tests.notices import codes
from tests.sandboxed import on_sandbox

pytestmark = pytest.mark.quick

TP53, BRCA1 = "ENSG00000141510", "ENSG00000012048"
PLACE = {"seq_region_name": "17", "start": 7661779, "end": 7687550, "strand": -1, "assembly_name": "GRCh38"}
GENE = {"species": "homo_sapiens", "biotype": "protein_coding", "object_type": "Gene", **PLACE}
TP53_ROW = {**GENE, "id": TP53, "display_name": "TP53", "description": "tumor protein p53"}
BRCA1_ROW = {**GENE, "id": BRCA1, "display_name": "BRCA1"}


class AnyModel(BaseModel, extra="allow"):
    """A model without checks."""


def fixed_answer(content, path="lookup/id", times=1, **options):
    return Fault("body", path=path, body=json.dumps(content).encode(), times=times, **options)


def run(ask, *faults):
    return on_sandbox("ensembl", lambda ensembl, _: ask(ensembl), *faults)


def search(query, *faults, **options):
    return run(lambda ensembl: ensembl.search_genes(query, **options), *faults)


def gene(gene_id, *faults):
    return run(lambda ensembl: ensembl.get_gene(gene_id), *faults)


def hits(*entries, count=None):
    listed_values = [{"source": "ensembl_gene", "fields": {}, **entry} for entry in entries]
    content = {"hitCount": len(listed_values) if count is None else count, "entries": listed_values, "facets": []}
    return fixed_answer(content, path="", service="ebisearch")


# IDs


@each_of("stable_id", [TP53, "ENST00000269305"])
def test_a_thing_that_is_a_part_of_itself_ends_nothing(stable_id):
    kind = "Gene" if stable_id == TP53 else "Transcript"
    lookup_answer = {stable_id: {**TP53_ROW, "id": stable_id, "object_type": kind, "Parent": stable_id}}

    if kind == "Gene":  # a gene is a part of nothing, whatever it says
        assert [row.id for row in search(stable_id, fixed_answer(lookup_answer, times=None)).items] == [TP53]
    else:
        with pytest.raises(UpstreamError):
            search(stable_id, fixed_answer(lookup_answer, times=None))


def test_a_search_by_id_never_passes_on_another_gene():
    with pytest.raises(UpstreamError, match=f"answered {TP53} with {BRCA1}"):
        search(TP53, fixed_answer({TP53: BRCA1_ROW}))


def test_a_gene_under_the_id_of_another_is_dropped_from_a_list():
    page = search(
        "tumor protein",
        hits({"id": TP53}, {"id": BRCA1}),
        fixed_answer({TP53: BRCA1_ROW, BRCA1: BRCA1_ROW}),
        species="human",
    )

    assert [row.id for row in page.items] == [BRCA1]
    assert "NOT_COVERED" in codes(page)


def test_one_damaged_record_does_not_fail_the_others():
    page = search(
        "tumor protein", hits({"id": TP53}, {"id": BRCA1}), fixed_answer({TP53: TP53_ROW, BRCA1: {"id": BRCA1}})
    )

    assert [row.id for row in page.items] == [TP53]
    assert "NOT_COVERED" in codes(page)


@each_of("odd", ["tA(AGC)D", "x", "a b", "ENSP00000269305", None, 5])
def test_a_hit_with_an_id_of_no_gene_is_dropped_and_counted(odd):
    page = search("tumor protein", hits({"id": odd}, {"id": TP53}), fixed_answer({TP53: TP53_ROW}))

    assert [row.id for row in page.items] == [TP53]
    assert ("DROPPED" if isinstance(odd, str) else "NOT_COVERED") in codes(page)


@each_of("query", ["HGNC:11999", "7158000", "HGNC:1", "NCBIGene:71570", "OMIM:191171"])
def test_neighbouring_numbers_are_other_things(query):
    page = search(query)

    assert page.items == []
    assert codes(page) == ["UNMATCHED"]


@each_of("query", ["HGNC:11998", "NCBIGene:7157", "GeneID: 7157", "OMIM:191170", "UniProtKB:P04637"])
def test_ids_of_other_databases_as_records_write_them_lead_to_their_gene(query):
    page = search(query)

    assert [(row.symbol, row.match) for row in page.items] == [("TP53", "id")]
    assert page.pagination.cursor is None


@each_of("query", [f"gene {TP53}", f"ensembl {TP53}", f"{TP53} human", f"Ensembl ID: {TP53}"])
def test_a_stable_id_among_words_counts(query):
    assert [(row.id, row.match) for row in search(query).items] == [(TP53, "id")]


def test_several_stable_ids_are_a_batch():
    with pytest.raises(AmbiguousQuery) as raises:
        search(f"{TP53}, {BRCA1}.3")

    assert raises.value.recovery.arguments == {"ensembl_ids": [TP53, BRCA1]}


def test_a_search_by_a_retired_id_says_what_was_written():
    (row,) = search("ENSG00000199004.2").items

    assert (row.symbol, row.replaces) == ("MIR21", "ENSG00000199004.2")


def test_a_search_by_a_retired_product_replaces_no_gene():
    page = search("ENST00999900001")

    assert [(row.symbol, row.replaces) for row in page.items] == [("TP53", None)]
    assert "REPLACED" in codes(page)


@each_of("renamed_field", [{"identifier": TP53}, {"id": None}, {"id": 5}])
def test_hits_without_an_id_are_no_empty_list(renamed_field):
    body = json.dumps({"hitCount": 1, "entries": [{**renamed_field, "fields": {}}]}).encode()

    with pytest.raises(UpstreamError, match="a hit without 'id'"):
        search("tumor protein", Fault("body", service="ebisearch", body=body, times=None))


# Cross-references


XREFS_SAY_NO = Fault("status", path="xrefs/id", status=400, body=b'{"error":"ID \'%s\' not found"}' % TP53.encode())


def test_a_gene_without_its_cross_references_has_a_notice_and_is_whole_next_time():
    async def get_twice(ensembl):
        return [await ensembl.get_gene(TP53), await ensembl.get_gene(TP53)]

    first, second = run(get_twice, XREFS_SAY_NO)

    assert (first.symbol, first.cross_references.hgnc) == ("TP53", None)
    assert "LEG_FAILED" in codes(first)
    assert second.cross_references.hgnc == "HGNC:11998"
    assert "LEG_FAILED" not in codes(second)


def test_a_retired_id_does_not_need_cross_references_of_its_own():
    down = Fault("status", path="xrefs/id/ENSG00000199004", status=503, times=None)

    assert gene("ENSG00000199004", down).symbol == "MIR21"


@each_of("renamed_field", [{"db": "HGNC", "primary_id": "HGNC:11998"}, {"dbname": "HGNC", "id": "HGNC:11998"}])
def test_renamed_fields_of_cross_references_are_no_empty_object(renamed_field):
    result = gene(TP53, fixed_answer([renamed_field], path="xrefs/id", times=None))

    assert "LEG_FAILED" in codes(result)


def test_doubled_and_odd_cross_references_are_read_once():
    rows = [{"dbname": "HGNC", "primary_id": "HGNC:11998", "info_type": None, "extra": {}}, {"dbname": None}, {}] * 2

    assert gene(TP53, fixed_answer(rows, path="xrefs/id")).cross_references.hgnc == "HGNC:11998"


# The archive


def archive_of(**content):
    answer = {"id": "ENSG00999900009", "is_current": "", "type": "Gene", "release": "90", "possible_replacement": []}
    return fixed_answer({**answer, **content}, path="archive/id", times=None)


def replacement(stable_id, score=1.0):
    return [{"stable_id": stable_id, "score": score}]


@each_of(
    ("answer", "error", "words"),
    [
        (archive_of(id=BRCA1), UpstreamError, "archive answered"),
        (archive_of(is_current=True), UpstreamError, "as current"),
        (archive_of(possible_replacement=replacement("ENSG00999900009")), EntityNotFound, "circle"),
        (archive_of(possible_replacement=replacement("ENST00000269305")), UpstreamError, "a Transcript"),
        (archive_of(possible_replacement="ENSG1"), UpstreamError, "no list of possible_replacement"),
        (archive_of(possible_replacement=None), UpstreamError, "no list of possible_replacement"),
        (archive_of(is_current="perhaps"), UpstreamError, "whether ENSG00999900009 is current"),
    ],
)
def test_an_archive_that_contradicts_itself_is_reported(answer, error, words):
    with pytest.raises(error, match=words):
        gene("ENSG00999900009", answer)


def step(stable_id, *replacements):
    return fixed_answer(
        {
            "id": stable_id,
            "is_current": "",
            "type": "Gene",
            "release": "90",
            "possible_replacement": list(replacements),
        },
        path=f"archive/id/{stable_id}",
        times=None,
    )


A, B = "ENSG00999900008", "ENSG00999900009"
TO_B = step(A, {"stable_id": B, "score": 1})


def test_a_retired_id_whose_successor_is_unknown_did_exist():
    unknown = Fault(
        "status", path=f"archive/id/{B}", status=400, times=None, body=f'{{"error":"No object found for {B}"}}'.encode()
    )

    with pytest.raises(EntityNotFound) as raises:
        gene(A, TO_B, unknown)

    assert raises.value.message == (
        f"{A} was retired by Ensembl and replaced by {B} ({A} > {B}), of which neither Ensembl nor its archive has a"
        " record."
    )
    assert raises.value.invalid_input == A


def test_a_successor_that_was_withdrawn_itself_ends_the_trail():
    with pytest.raises(EntityNotFound, match=f"{B} was withdrawn from Ensembl after release 90; nothing.*{A} > {B}"):
        gene(A, TO_B, step(B))


def test_a_successor_whose_record_cannot_be_had_now_is_named():
    down = Fault("status", path=f"archive/id/{B}", status=503, times=None)

    with pytest.raises(UpstreamError, match=f"{A} was retired by Ensembl and replaced by {B}, whose record cannot"):
        gene(A, TO_B, down)


def test_a_successor_that_the_archive_calls_current_without_a_record_is_named():
    current = fixed_answer(
        {"id": B, "is_current": "1", "type": "Gene", "release": "113", "possible_replacement": []},
        path=f"archive/id/{B}",
        times=None,
    )

    with pytest.raises(UpstreamError, match=f"replaced by {B}.*lists {B} as current but did not send"):
        gene(A, TO_B, current)


def test_a_score_that_is_no_number_is_none():
    replaced_gene = gene("ENSG00999900009", archive_of(possible_replacement=replacement(TP53, "nan")))

    assert "mapping score 0.00" in replaced_gene.notices[0].message


# Odd shapes


ODD = [
    {"Transcript": [{"id": "ENST00000269305", "Translation": {"length": "393"}}]},
    {"Transcript": "ENST00000269305"},
    {"Transcript": [None, 5, {"id": None}, {"id": "ENST00000269305", "MANE": 5, "Translation": []}]},
    {"version": {}},
    {"display_name": 5, "description": ["x"], "canonical_transcript": 7},
]


@each_of("odd", ODD)
def test_a_gene_of_odd_parts_keeps_the_others(odd):
    assert gene(TP53, fixed_answer({TP53: {**TP53_ROW, **odd}})).biotype == "protein_coding"


WITHOUT_PLACE = [(name, odd) for name in ("species", *PLACE) for odd in (None, [1])]


@each_of(("name", "odd"), WITHOUT_PLACE)
def test_a_gene_that_does_not_say_where_it_lies_is_an_error_that_names_the_field_and_in_short_it_is_read(name, odd):
    lie = fixed_answer({TP53: {**TP53_ROW, name: odd}}, times=None)

    with pytest.raises(UpstreamError, match=f"Ensembl sent {TP53} without '{name}'"):
        gene(TP53, lie)
    assert run(lambda ensembl: ensembl.get_gene(TP53, slim=True), lie).symbol == "TP53"


@each_of(
    "odd",
    [
        {"Exon": [{"id": "E", "start": None, "end": 9}, None, 5]},
        {"Exon": "ENSE1", "is_canonical": [1], "MANE": [{"type": 5}]},
        {"Parent": f"{TP53}.18", "Translation": "x"},
    ],
)
def test_a_transcript_of_odd_parts_keeps_the_others(odd):
    whole = {**TP53_ROW, "id": "ENST00000269305", "object_type": "Transcript", "Parent": TP53}
    if isinstance(odd.get("Translation"), str):
        odd = {**odd, "Translation": None}

    transcript = run(lambda e: e.get_transcript("ENST00000269305"), fixed_answer({"ENST00000269305": {**whole, **odd}}))
    assert (transcript.parent_gene, transcript.exons) == (TP53, [])


@each_of("fields", [{"gene_synonym": 5}, {"gene_synonym": "p53"}, {"gene_name": None}, 5, None])
def test_a_hit_of_odd_fields_is_a_hit(fields):
    page = search("tumor protein", hits({"id": TP53, "fields": fields}), fixed_answer({TP53: TP53_ROW}))

    assert [row.id for row in page.items] == [TP53]


@each_of("content", [{"hitCount": 1000, "entries": []}, {"hitCount": 0, "entries": [{"id": TP53}]}])
def test_hits_that_contradict_their_count_are_asked_for_again(content):
    assert search("tumor protein", fixed_answer(content, path="", service="ebisearch")).items[0].symbol.startswith("T")


@each_of("content", [{"species": [None, 5, {"name": "../x?y", "taxon_id": "1"}]}, {"species": []}])
def test_a_damaged_list_of_species_is_the_services_failure(content):
    with pytest.raises(UpstreamError):
        search("TP53", fixed_answer(content, path="info/species", times=None), species="chicken")


def test_a_species_of_odd_names_leaves_the_others():
    content = {
        "species": [
            {"name": "gallus_gallus", "taxon_id": "9031", "aliases": 5, "display_name": "Chicken"},
            {"name": "sus_scrofa", "aliases": ["pig"]},
        ]
    }

    assert codes(search("TP53", fixed_answer(content, path="info/species"), species="chicken")) == ["UNMATCHED"]


# Searches in part: notices


def test_words_are_not_searched_in_a_strain():
    page = search("tumor protein", species="mus_musculus_c57bl6nj")

    assert (page.items, page.pagination.cursor) == ([], None)
    assert "in a strain, words cannot be searched" in page.notices[0].message


def test_a_word_that_may_be_a_species_is_pointed_out():
    page = search("qqqzzz chicken")

    assert "species='gallus_gallus'" in page.notices[-1].message


def test_all_symbols_are_paged_while_the_search_by_words_is_down():
    down = Fault("status", service="ebisearch", status=503, times=None)

    async def search_both(ensembl):
        first = await ensembl.search_genes("tumor protein TP53 BRCA1", page_size=1)
        cursor = first.pagination.cursor
        return first, await ensembl.search_genes("tumor protein TP53 BRCA1", page_size=1, cursor=cursor)

    first, second = run(search_both, down)
    assert {first.items[0].symbol, second.items[0].symbol} == {"TP53", "BRCA1"}
    assert second.pagination.cursor is None


@each_of("change", [{"number": 9}, {"offset": -5}, {"offset": 10**9}, {"lead": ["x\ny"]}, {"shown": -1}, {"score": 7}])
def test_a_forged_cursor_is_refused(change):
    place = {"lead": [TP53], "shown": 0, "offset": 0, "total": None, "score": 1.0, "number": 0}
    EnsemblPosition.model_validate(place)  # good but for the change
    write = Cursor(SEARCH, {"query": "BRCA1", "species": None}).write(AnyModel(**{**place, **change}))

    with pytest.raises(AmbiguousQuery, match="damaged or belongs to another query"):
        search("BRCA1", cursor=write)
