"""Cutting a streamed efetch answer into records."""

import tracemalloc
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.core.errors import UpstreamError
from biofact.dialects.xml import HostileDocument
from biofact.sources.entrez import parse
from biofact.sources.entrez.parse.trim import GeneSplitter
from biofact.transport.service import BodyTooLarge, Transient
from tests.marks import requirement
from tests.misencoded import misencoded
from tests.recordings import recording
from tests.sources.entrez import gene_xml as xml
from tests.sources.splitting import records_of

pytestmark = pytest.mark.quick

SUMMARY = "Ends with &lt;/Entrezgene&gt;&lt;/Entrezgene-Set&gt; and &lt;Gene-commentary_heading&gt;Related Sequences"
COMMENTS = (
    xml.commentary("generif", heading="Interactions", comment=xml.related(xml.swiss_prot("P99999")))
    + xml.commentary(heading="Phenotypes", comment=xml.refseqs(xml.curated(xml.transcript("NM_999999"))))
    + xml.refseqs(xml.curated(xml.transcript("NM_000546")), xml.annotated())
    + xml.related(xml.swiss_prot("P04637"))
)
RECORD = xml.gene(
    "7157",
    gene_ref=xml.gene_with_names("TP53", "tumor protein p53 > others? yes!", "p53"),
    summary=SUMMARY,
    locus=xml.locus("Reference GRCh38.p14 Primary Assembly"),
    properties=xml.commentary(heading="Pathways", comment=xml.nomenclature("NONE", "none"))
    + xml.nomenclature("TP53", "tumor protein p53"),
    comments=COMMENTS,
)
DEEP = xml.refseqs(
    "<Gene-commentary><Gene-commentary_products>" * 1000 + "</Gene-commentary_products></Gene-commentary>" * 1000
)
BODY = xml.body(RECORD, xml.gene("672", gene_ref=xml.gene_with_names("BRCA1")))


def cut(body, size=None):
    return records_of(GeneSplitter(), body, size)


def symbols(records):
    return [(gene_id, parse.gene(record).gene.symbol) for gene_id, record in records]


def failure(body, size=None):
    """The error of cutting a body, or None."""
    try:
        cut(body, size)
    except (Transient, UpstreamError) as failed:
        return failed
    return None


def test_chunks_of_any_size_give_the_same_records():
    whole = cut(BODY)

    assert symbols(whole) == [("7157", "TP53"), ("672", "BRCA1")]
    assert [size for size in (1, 7, 64, 4096) if cut(BODY, size) != whole] == []


@pytest.mark.parametrize("sizes", [(64, 4096), pytest.param((7,), marks=pytest.mark.sweep)])
def test_chunks_of_any_size_give_the_same_recorded_gene(sizes):
    body = recording("entrez/efetch_gene_test_entrezgeneset_0.xml.gz")
    whole = cut(body)

    assert len(whole) == 1
    assert [size for size in sizes if cut(body, size) != whole] == []


def test_fifty_records_come_one_by_one():
    records = [xml.gene(str(number), gene_ref=xml.gene_with_names(f"GENE{number}")) for number in range(1, 51)]
    splitter = GeneSplitter()
    body = xml.body(*records)
    start = body.index(records[0])

    assert splitter.feed(body[:start]) == []
    batches = [splitter.feed(record + b"\n") for record in records]
    assert splitter.feed(b"</Entrezgene-Set>") == []
    splitter.close()

    assert [symbols(item) for item in batches] == [[(str(number), f"GENE{number}")] for number in range(1, 51)]


def test_words_in_text_and_headings_deeper_down_do_not_mislead_the_parser():
    ((_, record), _) = cut(BODY)
    gene = parse.gene(record).gene

    assert gene.summary == SUMMARY.replace("&lt;", "<").replace("&gt;", ">")
    assert gene.description == "tumor protein p53 > others? yes!"
    assert gene.cross_references.model_dump() == {"refseq": ["NM_000546"], "uniprot": ["UniProtKB:P04637"]}
    assert gene.name == "tumor protein p53"
    whole = parse.gene(RECORD)
    assert parse.gene(record) == replace(whole, gene=whole.gene.model_copy(update={"phenotypes": []}))


def test_bare_records_are_accepted():
    bare = recording("entrez/efetch_gene_9606_SECONDARY_replaced_by_8666_single_Entrezgene_root.xml")

    assert symbols(cut(bare)) == [("9606", "EIF3-P42")]
    assert symbols(cut(RECORD + b"\n" + RECORD, 100)) == [("7157", "TP53")] * 2


EMPTY = [xml.body(), b"<Entrezgene-Set/>", b'<?xml version="1.0"?>\n<Entrezgene-Set />\n']


def test_an_empty_set_has_no_records():
    assert [cut(body, size) for body in EMPTY for size in (None, 1)] == [[]] * 6


def test_a_body_that_ends_early_is_refused():
    ends = (0, 1, 30, 60, 250, 300, 700, 2000, len(BODY) // 2, len(BODY) - 30, len(BODY) - 3)
    cuts = [(end, size) for end in ends for size in (1, None)]

    assert [(end, size) for end, size in cuts if not isinstance(failure(BODY[:end], size), Transient)] == []


def test_every_whole_record_of_a_cut_body_is_given_first():
    splitter = GeneSplitter()

    records = splitter.feed(BODY[:-100])

    assert symbols(records) == [("7157", "TP53")]
    with pytest.raises(Transient, match="cut short"):
        splitter.close()


TOO_DEEP = xml.gene("1", gene_ref=xml.gene_with_names("A"), comments=DEEP + xml.related(xml.swiss_prot("P04637")))
DAMAGES = [
    b"<ERROR>Backend failed</ERROR>",
    b"<Error>cannot get record</Error>",
    b"garbage",
    b"<!DOCTYPE x>",
    b"<Entrezgene >",
    b"<Entrezgene><a></b></Entrezgene>",
    b"<Entrezgene></Entrezgene>",
    xml.gene("12x", gene_ref=xml.gene_with_names("A")),
    xml.gene("1", gene_ref=xml.gene_with_names("A&copy;")),
    xml.gene("1", gene_ref=xml.gene_with_names("A")).replace(b"Homo", b"\xff"),
    xml.gene("1", gene_ref=xml.gene_with_names("A"), locus="<Gene-commentary>"),
    xml.gene("1", gene_ref=xml.gene_with_names("A"), comments="").replace(b"</Entrezgene_comments>", b""),
]


def given_before(damage, size):
    """The records before a damage, and whether it was reported, and again when asked."""
    body = xml.body(RECORD, damage)
    splitter = GeneSplitter()
    size = size or len(body)
    result = []

    def feed_all():
        for position in range(0, len(body) + size, size):
            result.extend(splitter.feed(body[position : position + size]))
        splitter.close()

    with pytest.raises(Transient):
        feed_all()
    with pytest.raises(Transient):
        splitter.close()
    return symbols(result)


def test_records_before_a_damage_are_returned_and_the_damage_is_reported_after():
    cases = [*((damage, size) for damage in DAMAGES for size in (7, None)), (TOO_DEEP, None)]

    given_befores = {(damage, size): given_before(damage, size) for damage, size in cases}
    assert {case: records for case, records in given_befores.items() if records != [("7157", "TP53")]} == {}


@pytest.mark.sweep
def test_records_before_a_damage_are_given_byte_by_byte():
    given_befores = {damage: given_before(damage, 1) for damage in (*DAMAGES, TOO_DEEP)}
    assert {damage: records for damage, records in given_befores.items() if records != [("7157", "TP53")]} == {}


NO_RECORDS = [
    b"",
    b"   ",
    b"{}",
    b'{"error":"API rate limit exceeded"}',
    b"Bad Request (400)",
    b"<html><body>Service unavailable</body></html>",
    b"<!DOCTYPE html><html></html>",
    b"<eFetchResult><ERROR>ID list is empty</ERROR></eFetchResult>",
    b"<ERROR>Search Backend failed</ERROR>",
    b"<PubmedArticleSet></PubmedArticleSet>",
    b"Entrezgene-Set><Entrezgene-Set/>",
    BODY + BODY,
    BODY + b"trailing",
    b"<Entrezgene-Set>" + b" " * 70_000 + b"<",
    BODY.replace(b"<!DOCTYPE", b"<DOCTYPE"),
    b"<!--" + b" " * 70_000,
]


def test_something_else_in_place_of_records_is_refused():
    cases = [(body, size) for body in NO_RECORDS for size in (1, None) if size is None or len(body) <= 10_000]

    pairs = [(body, size) for body, size in cases if not isinstance(failure(body, size), Transient)]
    assert pairs == []


ENTITY = b'<!ENTITY a "x">'
HOSTILE = {
    "an internal subset": BODY.replace(b'.dtd">', b'.dtd" [' + ENTITY + b"]>"),
    "an expansion": b'<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Entrezgene-Set>&b;</Entrezgene-Set>',
    "an external entity": b'<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + RECORD,
    "a root inside an entity": b'<!DOCTYPE a [<!ENTITY a "<Entrezgene-Set>">]><Entrezgene-Set></Entrezgene-Set>',
    "a parameter entity": b'<!DOCTYPE a [<!ENTITY % b SYSTEM "http://localhost/"> %b;]>' + RECORD,
    "a declaration inside a record": xml.body(RECORD.replace(b"<Gene-ref>", b"<Gene-ref>" + ENTITY)),
    "a DTD inside a record": xml.body(RECORD.replace(b"<Gene-ref>", b"<!DOCTYPE a []><Gene-ref>")),
    "a declaration in a part that is cut out": xml.body(RECORD.replace(b"P99999", ENTITY)),
}


@requirement("000 R3-defusedxml")
def test_a_hostile_document_is_refused():
    cases = [(name, size) for name in HOSTILE for size in (1, None)]

    assert [case for case in cases if not isinstance(failure(HOSTILE[case[0]], case[1]), HostileDocument)] == []


def test_an_encoding_that_could_hide_a_declaration_is_refused():
    strs = [str(failure(body)) for body in misencoded(BODY)]

    assert strs
    assert [words for words in strs if "encoded" not in words] == []


def test_the_usual_encodings_are_read():
    for encoding in (b"UTF-8", b"utf-8", b"US-ASCII"):
        body = b"\xef\xbb\xbf\n" + BODY.replace(b'"1.0" ?', b'"1.0" encoding="' + encoding + b'" standalone="no"?')
        assert cut(body) == cut(BODY), encoding


ODD = {
    "a comment": RECORD.replace(b"<Gene-ref>", b"<!-- </Entrezgene> <Entrezgene> --><Gene-ref>"),
    "a CDATA section": RECORD.replace(b">p53<", b"><![CDATA[</Entrezgene><Entrezgene>]]><"),
    "an instruction": RECORD.replace(b"<Gene-ref>", b"<?x </Entrezgene>?><Gene-ref>"),
    "a heading in a comment": RECORD.replace(
        b"<Entrezgene_comments>",
        b"<Entrezgene_comments><!--<Gene-commentary><Gene-commentary_heading>Related Sequences<-->",
    ),
}


def test_markup_that_hides_tags_hides_nothing():
    result = {}
    for name, record in ODD.items():
        for size in (1, 7, None):
            ((first_id, first), (second_id, _)) = cut(xml.body(record, RECORD), size)
            gene = parse.gene(first).gene
            result[name, size] = (first_id, second_id, gene.symbol, gene.aliases, gene.cross_references.uniprot)

    hidden = {"a CDATA section": ["</Entrezgene><Entrezgene>"]}
    assert result == {
        (name, size): ("7157", "7157", "TP53", hidden.get(name, ["p53"]), ["UniProtKB:P04637"]) for name, size in result
    }
    assert len(result) == 12


def test_comments_may_stand_before_between_and_after_records():
    body = b"<!-- a -->" + BODY.replace(b"\n<Entrezgene>", b"<!-- <b> -->\n<Entrezgene>") + b"<!-- c -->\n"

    assert cut(body.removeprefix(b"<!-- a -->"), 1) == cut(BODY)
    assert cut(body.replace(b'<?xml version="1.0" ?>\n', b"")) == cut(BODY)


def test_an_unfinished_comment_is_a_cut_body():
    body = xml.body(RECORD.replace(b"<Gene-ref>", b"<!-- <Gene-ref>"))

    assert [size for size in (7, None) if not isinstance(failure(body, size), Transient)] == []


def test_a_record_beyond_the_cap_is_refused_before_it_is_whole():
    splitter = GeneSplitter(largest_record=1 << 20)
    splitter.feed(BODY[: BODY.index(b"</Entrezgene>")])
    for _ in range(15):
        splitter.feed(b"x" * (64 << 10))

    with pytest.raises(BodyTooLarge):
        splitter.feed(b"x" * (64 << 10))


def test_a_record_beyond_the_cap_in_one_chunk_is_refused():
    big = RECORD.replace(b"Ends with", b"x" * 2000)

    with pytest.raises(BodyTooLarge):
        GeneSplitter(largest_record=len(big) - 1).feed(xml.body(big))
    assert len(GeneSplitter(largest_record=len(big)).feed(xml.body(big))) == 1


def test_a_comment_makes_a_long_record_no_more_costly():
    odd = RECORD.replace(b"Ends with", b"<!-- -->" + b"x" * (9 << 20))

    assert len(GeneSplitter().feed(xml.body(odd))) == 1


def test_a_long_answer_is_held_one_record_at_a_time():
    filler = "".join(xml.commentary("generif", text=f"Finding {number}" * 5) for number in range(2000))
    record = xml.gene("7157", gene_ref=xml.gene_with_names("TP53"), comments=filler)
    splitter = GeneSplitter()
    splitter.feed(b"<Entrezgene-Set>")
    tracemalloc.start()

    for _ in range(40):
        assert len(splitter.feed(record)) == 1
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak_bytes < 4 * len(record)


DAMAGED_VALUE = given(st.binary(max_size=12), st.integers(0, len(BODY)), st.integers(0, 40), st.integers(1, 3000))


def assert_right_or_harmless(bytes_put_in, position, bytes_taken_out, size):
    body = BODY[:position] + bytes_put_in + BODY[position + bytes_taken_out :]
    try:
        records = cut(body, size)
        genes = [parse.gene(record).gene for _, record in records]
    except (Transient, UpstreamError):
        return

    assert [f"NCBIGene:{gene_id}" for gene_id, _ in records] == [gene.id for gene in genes]
    assert records == cut(body)


@DAMAGED_VALUE
@settings(max_examples=60, deadline=None, derandomize=True)
def test_damage_is_refused_or_does_no_harm(bytes_put_in, at, bytes_taken_out, size):
    assert_right_or_harmless(bytes_put_in, at, bytes_taken_out, size)


@pytest.mark.sweep
@DAMAGED_VALUE
@settings(max_examples=300, deadline=None, derandomize=True)
def test_damage_of_any_kind_is_refused_or_does_no_harm(bytes_put_in, at, bytes_taken_out, size):
    assert_right_or_harmless(bytes_put_in, at, bytes_taken_out, size)
