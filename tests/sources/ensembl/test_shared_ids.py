"""IDs that two kinds of record share, in yeast and worm, and IDs with a dot and no version, by every tool."""

import asyncio
import json

import pytest

from biofact.core.errors import UpstreamError
from biofact.sandbox import Fault
from biofact.sources.ensembl import parse
from biofact.sources.ensembl.identifiers import bare
from tests.each_of import each_of
from tests.notices import codes
from tests.sandboxed import on_sandbox
from tests.sources.ensembl.test_client import gene, run, search

pytestmark = pytest.mark.quick

ACT1, LIN12 = "YFL039C", "R107.8.1"
"""A gene and its protein of yeast; a transcript and its protein of the worm."""


def sequence(owner, *faults, **options):
    return run(lambda ensembl: ensembl.get_sequence(owner, **options), *faults)[0]


def named(method, name, organism):
    """The entities that a finder has for one name."""

    async def find(ensembl, _):
        return (await getattr(ensembl, method)([name], organism)).entities.get(name)

    return on_sandbox("ensembl", find)


def test_a_yeast_gene_is_never_answered_by_its_protein():
    whole, (page, _) = gene(ACT1), search(ACT1)
    batch, _ = run(lambda ensembl: ensembl.get_genes_batch([ACT1, "YER109C", "FBgn0004647"]))

    assert (whole.symbol, whole.cross_references.uniprot) == ("ACT1", ["UniProtKB:P60010"])
    assert [(row.id, row.symbol) for row in page.items] == [(ACT1, "ACT1")]
    assert [item.symbol for item in batch.items] == ["ACT1", "FLO8", "N"]


def test_a_worm_transcript_is_never_answered_by_its_protein():
    transcript, _ = run(lambda ensembl: ensembl.get_transcript(LIN12))

    assert (transcript.parent_gene, transcript.translation.id, transcript.translation.length) == (
        *("WBGene00003001", LIN12),
        1429,
    )


@each_of(
    ("method", "name", "organism", "kind", "gene_id"),
    [
        ("genes_named", ACT1, "yeast", "gene", None),
        ("proteins_named", ACT1, "yeast", "protein", ACT1),
        ("transcripts_named", LIN12, "worm", "transcript", "WBGene00003001"),
        ("proteins_named", LIN12, "worm", "protein", "WBGene00003001"),
    ],
)
def test_a_shared_id_is_found_as_the_kind_that_is_asked_for(method, name, organism, kind, gene_id):
    (entity,) = named(method, name, organism)

    assert (entity.kind, entity.xrefs[f"ensembl_{kind}"]) == (kind, name)
    assert entity.product_of == ((gene_id,) if gene_id else ())


@each_of(
    ("owner", "type", "kind", "length"),
    [
        (ACT1, None, "genomic", 1437),
        (ACT1, "cdna", "cdna", 1128),
        (ACT1, "cds", "cds", 1128),
        (ACT1, "protein", "protein", 375),
        (LIN12, "cds", "cds", 4290),
        (LIN12, "protein", "protein", 1429),
        ("WBGene00003001", "protein", "protein", 1429),
    ],
)
def test_each_sequence_of_a_shared_id_is_had_by_its_type(owner, type, kind, length):  # noqa: A002  # as the tool calls it
    result = sequence(owner, **({"type": type} if type else {}))

    assert (result.id, result.type, result.length) == (owner, kind, length)


def test_lookups_of_two_kinds_go_in_two_requests_and_lookups_of_one_kind_join():
    async def ask_together(ensembl, sandbox):
        genes = ensembl.get_genes_batch([ACT1, "ENSG00000141510", "YER109C"])
        batch, proteins = await asyncio.gather(genes, ensembl.proteins_named([ACT1, LIN12], "yeast"))
        kinds = [dict(request.params)["object_type"] for request in sandbox.requests]
        return [item.symbol for item in batch.items], set(proteins.entities), sorted(kinds)

    symbols, proteins, kinds = on_sandbox("ensembl", ask_together)

    assert (symbols, proteins) == (["ACT1", "TP53", "FLO8"], {ACT1, LIN12})
    assert kinds == ["Gene", "Transcript", "Translation"]  # the transcripts lead to the genes of the proteins


@each_of(
    ("text", "stable_id"),
    [
        ("FBtr0070507.", "FBtr0070507"),
        ("YFL039C_mRNA.", "YFL039C_mRNA"),
        ("R107.8.1.", "R107.8.1"),  # the dots of its own stay
        ("WBGene00003001.", "WBGene00003001"),
        ("ENST00000269305.", "ENST00000269305"),
        ("ENST00000269305.9", "ENST00000269305"),
    ],
)
def test_a_dot_without_a_version_is_no_part_of_an_id(text, stable_id):
    assert bare(text) == stable_id


@each_of(
    ("gene_id", "transcript_id"),
    [("FBgn0004647", "FBtr0070507"), ("WBGene00003001", LIN12), (ACT1, "YFL039C_mRNA"), ("YER109C", "YER109C_mRNA")],
)
def test_the_canonical_transcript_of_a_gene_without_versions_can_be_looked_up(gene_id, transcript_id):
    canonical = gene(gene_id).canonical_transcript
    transcript, _ = run(lambda ensembl: ensembl.get_transcript(canonical))

    assert (canonical, transcript.id, transcript.parent_gene) == (transcript_id, transcript_id, gene_id)
    assert transcript.is_canonical


def test_a_replacement_with_a_dot_and_no_version_is_followed():
    archived = {"id": "FBgn0000001", "is_current": "", "type": "Gene", "release": "90"}
    answer = {**archived, "possible_replacement": [{"stable_id": "FBgn0004647.", "score": 1.0}]}
    fault = Fault("body", path="archive/id", body=json.dumps(answer).encode(), times=None)
    result, _ = run(lambda ensembl: ensembl.get_gene("FBgn0000001", slim=True), fault)

    assert (result.id, result.symbol, result.replaces) == ("FBgn0004647", "N", "FBgn0000001")


def test_a_parent_with_a_dot_and_no_version_is_the_parent():
    place = {"seq_region_name": "X", "start": 1, "end": 9, "strand": 1, "assembly_name": "BDGP6.46"}
    transcript = {"id": "FBtr0070507", "Parent": "FBgn0004647.", "biotype": "protein_coding", **place}
    values = {**transcript, "species": "drosophila_melanogaster"}

    assert parse.transcript(json.dumps(values).encode()).parent_gene == "FBgn0004647"


@each_of("written", ["Gene", "gene", "GENE", None])
def test_the_kind_of_a_record_may_be_written_as_a_request_wrote_it(written):
    place = {"seq_region_name": "VI", "start": 1, "end": 9, "strand": 1, "assembly_name": "R64-1-1"}
    record = {"id": ACT1, "object_type": written, "biotype": "protein_coding", "display_name": "ACT1", **place}
    answer = {ACT1: {**record, "species": "saccharomyces_cerevisiae"}}
    fault = Fault("body", path="lookup/id", body=json.dumps(answer).encode(), times=None)
    result, _ = run(lambda ensembl: ensembl.get_gene(ACT1), fault)

    assert (result.id, result.symbol) == (ACT1, "ACT1")


def test_a_protein_with_a_stop_within_is_shown_with_a_notice():
    flo8 = sequence("YER109C", type="protein")

    assert (flo8.length, flo8.sequence.index("*"), flo8.sequence.count("*")) == (799, 141, 1)
    assert codes(flo8) == ["MISMATCH", "ASSUMED"]
    assert flo8.notices[0].message == (
        "YER109C has a stop codon within, written *, as letter 142; Ensembl translates past it."
    )


@each_of(
    ("letters", "length", "words"),
    [
        ("MA*GT", 4, "5 letters, 1 of them stops, for ENSP00000269305, which has 4"),
        ("MA*G*T*", 7, "6 letters, 2 of them stops, for ENSP00000269305, which has 7"),
        ("MA*GT", None, "which has no length"),
        ("*MAGT", 5, "something other than protein"),
        ("MAGT", 5, "4 letters for ENSP00000269305, which has 5"),
    ],
)
def test_a_protein_with_a_stop_within_is_refused_unless_its_length_fits(letters, length, words):
    with pytest.raises(UpstreamError, match=words):
        sequence("ENSP00000269305", *protein_of(letters, length))


@each_of(
    ("letters", "length", "codes_"),
    [("MA*GT", 5, ["MISMATCH"]), ("MA*G*T*", 6, ["MISMATCH"]), ("MAGT*", 4, []), ("MAGT", None, [])],
)
def test_a_protein_is_shown_where_its_letters_fit_its_length(letters, length, codes_):
    result = sequence("ENSP00000269305", *protein_of(letters, length))

    assert (result.sequence, codes(result)) == (letters, codes_)


def protein_of(letters, length):
    """Ensembl's answers for a protein with these letters, and this length in its record."""
    record = {"id": "ENSP00000269305", "object_type": "Translation", "Parent": "ENST00000269305", "length": length}
    answers = {
        "lookup/id": {record["id"]: {**record, "species": "homo_sapiens"}},
        "sequence/id": {"id": record["id"], "molecule": "protein", "seq": letters},
    }
    return [Fault("body", path=path, body=json.dumps(answer).encode()) for path, answer in answers.items()]
