"""Services that lie, contradict themselves or send odd shapes: a right answer or an honest error, and nothing else."""

import functools
import json
from types import MappingProxyType

import pytest

from biofact.core.errors import BiofactError, UpstreamError
from biofact.sandbox.faults import Fault
from biofact.sandbox.services.entrez.corpus import GeneCorpus, starter_genes
from biofact.sandbox.services.entrez.standin import GeneDatabase, docsum
from tests import virtual_time
from tests.each_of import each_of
from tests.sources.entrez.test_client import codes, on_sandbox

pytestmark = pytest.mark.quick

DATABASE = GeneDatabase(GeneCorpus(starter_genes()))
TP53, BRCA1 = "NCBIGene:7157", "NCBIGene:672"
GENES = {gene.gene_id: gene for gene in starter_genes()}
HTML = b"<!DOCTYPE html><html><body>Service is down for maintenance</body></html>"


@functools.cache
def xml(*uids):
    return b"".join(DATABASE.fetch(uids))


def summary(gene_id="7157", **changes):
    return {**docsum(GENES[gene_id]), **changes}


def summaries(*entries, **other_fields):
    uids = [str(entry["uid"]) for entry in entries]
    return {"header": {}, "result": {"uids": uids, **dict(zip(uids, entries, strict=True)), **other_fields}}


def fault(content, path, times=None):
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    return Fault("body", path=path, body=body, times=times)


IMPATIENT = {"timing": virtual_time.timing(deadline_seconds=2.0, rate_factor=50.0), "rate_factor": 60.0}
"""Timing for requests that are never answered: they are sent twice or three times."""


NO_REPORTS = Fault("status", service="ncbi-datasets", status=403, times=None)


def run_tool(tool, *arguments, faults=(), patience=MappingProxyType({}), **options):
    """The tool's answer; where efetch lies, Datasets is down, so that the XML is read."""

    async def scenario(entrez, sandbox):
        sandbox.faults.set(*faults, *([NO_REPORTS] if any(lie.path == "efetch" for lie in faults) else ()))
        return await getattr(entrez, tool)(*arguments, **options)

    return on_sandbox(scenario, **patience)


def assert_refused(tool, *arguments, lie, **options):
    with pytest.raises(UpstreamError):
        run_tool(tool, *arguments, faults=[lie], patience=IMPATIENT, **options)


WHOLE = [("get_gene", {}), ("get_gene", {"include": ["all"]}), ("get_generifs", {})]
OTHER_VALUES = [("get_gene", {"slim": True}), ("get_pubmed_links", {}), ("search_genes", {})]
WHOLES = [*WHOLE, *OTHER_VALUES]
whole_records = each_of(("tool", "options"), WHOLE)


# Bodies that are none


BODIES = (HTML, b"", b"{", b"<", b"null", b"[]", b"{}", b'"7157"', b"\xff\xfe\x00", b"7157")


@each_of("body", BODIES)
@each_of(("tool", "options"), [WHOLE[0], *OTHER_VALUES])
def test_a_body_that_is_no_answer_is_an_error_and_no_empty_list(tool, options, body):
    assert_refused(tool, "TP53 human" if tool == "search_genes" else TP53, lie=fault(body, ""), **options)


@pytest.mark.sweep
@each_of("body", BODIES)
@each_of(("tool", "options"), WHOLE[1:])
def test_a_body_that_is_no_record_is_an_error_for_every_tool(tool, options, body):
    assert_refused(tool, TP53, lie=fault(body, ""), **options)


def test_a_body_that_is_no_answer_once_is_requested_again(subtests):
    for tool, options in WHOLES:
        argument = "TP53 human" if tool == "search_genes" else TP53
        expected = run_tool(tool, argument, **options).model_dump()
        for body in (HTML, b"", b"{"):
            with subtests.test(tool=tool, options=options, body=body):
                assert run_tool(tool, argument, faults=[fault(body, "", times=1)], **options).model_dump() == expected


@whole_records
@each_of("part", [0.1, 0.5, 0.9, 0.99])
def test_a_record_that_ends_early_is_never_read(tool, options, part):
    body = xml("7157")

    assert_refused(tool, TP53, lie=fault(body[: int(len(body) * part)], "efetch"), **options)


# Records


@whole_records
def test_another_gene_is_never_passed_on(tool, options):
    assert_refused(tool, TP53, lie=fault(xml("672"), "efetch"), **options)


@whole_records
def test_a_record_beside_others_or_twice_is_the_record(tool, options):
    expected = run_tool(tool, TP53, faults=[NO_REPORTS], **options)

    assert run_tool(tool, TP53, faults=[fault(xml("672", "7157", "7157"), "efetch")], **options) == expected


@whole_records
@each_of(
    ("old", "new"),
    [
        (b"<Gene-track_geneid>7157</", b"<Gene-track_geneid>0</"),
        (b"<Gene-track_geneid>7157</", b"<Gene-track_geneid>7157.0</"),
        (b"<Gene-track_geneid>7157</", b"<Gene-track_geneid></"),
        (b"Gene-track_geneid>", b"Gene-track_id>"),
        (b"Org-ref_taxname>", b"Org-ref_name>"),
        (b"Entrezgene_source>", b"Entrezgene_origin>"),
        (b"Entrezgene_track-info>", b"Entrezgene_track>"),
    ],
)
def test_a_record_without_a_field_of_every_gene_is_an_error(tool, options, old, new):
    assert old in xml("7157")

    assert_refused(tool, TP53, lie=fault(xml("7157").replace(old, new), "efetch"), **options)


@each_of(
    ("old", "new"),
    [
        (b">GeneOntology<", b">Gene Ontology<"),
        (b">Phenotypes<", b">Diseases<"),
        (b"<Dbtag_db>GO<", b"<Dbtag_db>GeneOntology<"),
        (b">Function<", b">Aspect F<"),
        (b"Entrezgene_comments>", b"Entrezgene_remarks>"),
        (b"Entrezgene_properties>", b"Entrezgene_facts>"),
    ],
)
def test_annotations_under_another_name_are_an_error_and_no_empty_list(old, new):
    assert_refused("get_gene", TP53, lie=fault(xml("7157").replace(old, new), "efetch"), include=["all"])


@each_of(
    ("old", "new"),
    [(b"Gene-commentary_text>", b"Gene-commentary_words>"), (b"Entrezgene_comments>", b"Entrezgene_remarks>")],
)
def test_generifs_under_another_name_are_an_error_and_no_empty_list(old, new):
    assert_refused("get_generifs", TP53, lie=fault(xml("7157").replace(old, new), "efetch"))


@whole_records
def test_unknown_fields_change_nothing(tool, options):
    expected = run_tool(tool, TP53, faults=[NO_REPORTS], **options)
    extra = b"<Entrezgene_novelty><Novel_x>7</Novel_x></Entrezgene_novelty></Entrezgene>"
    body = (
        xml("7157").replace(b"</Entrezgene>", extra).replace(b"<Gene-ref>", b"<Gene-ref><Gene-ref_new>x</Gene-ref_new>")
    )

    assert run_tool(tool, TP53, faults=[fault(body, "efetch")], **options) == expected


@each_of("ends", [(b"7668420", b"7687489"), (b"7687489", b"7668420")])
def test_a_start_above_its_end_is_put_right(ends):
    body = xml("7157")
    for mark, number in zip((b"from", b"to"), ends, strict=True):
        for old in (b"7668420", b"7687489"):
            tag = b"<Seq-interval_" + mark + b">"
            body = body.replace(tag + old + b"<", tag + number + b"<")

    gene = run_tool("get_gene", TP53, faults=[fault(body, "efetch")])

    assert (gene.start, gene.end, gene.strand) == (7668421, 7687490, -1)


@each_of("strand", [b"unknown", b"both", b"both-rev", b"other", b""])
def test_a_strand_that_is_neither_is_none(strand):
    body = xml("7157").replace(b'<Na-strand value="minus"', b'<Na-strand value="' + strand + b'"')

    assert run_tool("get_gene", TP53, faults=[fault(body, "efetch")]).strand is None


# Summaries


@each_of("content", [summaries(summary("672")), {"result": {"uids": []}}, {"result": None}, {"uids": []}])
def test_a_summary_that_is_not_of_the_gene_is_an_error(content):
    with pytest.raises(BiofactError) as failure:
        run_tool("get_gene", TP53, faults=[fault(content, "esummary"), fault(xml("672"), "efetch")], slim=True)

    assert isinstance(failure.value, UpstreamError)


@each_of(
    "change",
    [
        {"uid": 7157},
        {"organism": {"scientificname": "Homo sapiens", "taxid": "9606"}},
        {"organism": {"scientificname": "Homo sapiens", "taxid": 9606.0}},
        {"organism": {"scientificname": "Homo sapiens", "taxid": "9606.0"}},
        {"status": 0, "currentid": 0},
        {"status": None, "currentid": None},
        {"mim": None, "genomicinfo": None, "otheraliases": None, "otherdesignations": None},
        {"novelty": {"x": [1]}},
        {"geneweight": "100.5", "chrstart": "x"},
    ],
)
def test_a_summary_of_odd_parts_is_the_gene(change):
    content = {"header": {}, "result": {"uids": ["7157"], "7157": summary(**change)}}

    gene = run_tool("get_gene", TP53, faults=[fault(content, "esummary")], slim=True)
    page = run_tool("search_genes", TP53, faults=[fault(content, "esummary")])

    assert (gene.id, gene.symbol, gene.organism) == (TP53, "TP53", "Homo sapiens")
    assert [(row.id, row.taxon_id) for row in page.items] == [(TP53, 9606)]


@each_of(
    "change",
    [
        {"name": None},
        {"name": ["TP53"], "nomenclaturesymbol": ""},
        {"organism": "Homo sapiens"},
        {"organism": None},
        {"uid": "672"},
        {"uid": "7157x"},
    ],
)
def test_a_summary_without_a_field_of_every_gene_is_an_error(change):
    content = {"header": {}, "result": {"uids": ["7157"], "7157": summary(**change)}}

    assert_refused("get_gene", TP53, lie=fault(content, "esummary"), slim=True)


# Searches


def search_answer(*uids, **changes):
    answer = {"count": str(len(uids)), "retmax": "50", "retstart": "0", "idlist": list(uids)}
    return {"header": {}, "esearchresult": {**answer, "querytranslation": "TP53[All Fields]", **changes}}


@each_of(
    "changes",
    [
        {"idlist": None},
        {"idlist": "7157"},
        {"ids": ["7157"], "idlist": None},
        {"count": None},
        {"count": "many"},
        {"idlist": [], "count": "7"},
    ],
)
def test_a_search_without_a_list_is_an_error_and_no_empty_list(changes):
    assert_refused("search_genes", "TP53", lie=fault(search_answer("7157", **changes), "esearch"))


def test_a_renamed_list_is_an_error_and_no_empty_list():
    content = search_answer("7157")
    content["esearchresult"]["ids"] = content["esearchresult"].pop("idlist")

    assert_refused("search_genes", "TP53", lie=fault(content, "esearch"))


@each_of("uids", [("7157", "7157", "672"), (7157, 672), ("7157", "672", "672")])
def test_doubled_ids_and_numbers_are_each_gene_once(uids):
    page = run_tool("search_genes", "TP53", faults=[fault(search_answer(*uids, count=len(uids)), "esearch")])

    assert sorted(row.id for row in page.items) == sorted({TP53, BRCA1})


# Links


def links(*pmids, uid="7157", **changes):
    linkset = {"dbfrom": "gene", "ids": [uid], "linksetdbs": [linked(list(pmids))]}
    return {"header": {}, "linksets": [{**linkset, **changes}]}


def linked(pmids, name="gene_pubmed", key="links"):
    return {"dbto": "pubmed", "linkname": name, key: pmids}


@each_of(
    "content",
    [
        links("5", uid="672"),
        links(linksetdbs=[linked(["5"], key="ids")]),
        links(linksetdbs=[linked(None)]),
        links(linksetdbs="gene_pubmed"),
        links(linksetdbs=None),
        {"linksets": []},
        {"linksets": None},
        {"sets": [links("5")["linksets"][0]]},
        links(ids=None),
    ],
)
def test_links_of_another_gene_or_under_another_name_are_an_error(content):
    assert_refused("get_pubmed_links", TP53, lie=fault(content, "elink"))


@each_of("pmids", [("5", "9", "9"), (5, 9), ("9", "5", "x", "", "0", "5.5")])
def test_links_are_pmids_each_once(pmids):
    page = run_tool("get_pubmed_links", TP53, faults=[fault(links(*pmids), "elink")])

    assert [row.id for row in page.items] == ["PMID:9", "PMID:5"]
    assert "ORDER" in codes(page)


@each_of("content", [links(linksetdbs=[]), {"linksets": [{"dbfrom": "gene", "ids": ["7157"]}]}])
def test_no_links_are_an_empty_list(content):
    page = run_tool("get_pubmed_links", TP53, faults=[fault(content, "elink")])

    assert (page.items, page.pagination.total_count) == ([], 0)
