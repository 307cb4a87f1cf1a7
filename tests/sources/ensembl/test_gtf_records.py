"""The recorded GTF excerpts, compared with a client's records of every gene and transcript in both."""

import asyncio

import pytest

from tests.each_of import each_of
from tests.sandbox.services.ensembl.test_gtf import HUMAN_GTF, MOUSE_GTF, bare, known_lines
from tests.sandboxed import on_sandbox

pytestmark = pytest.mark.quick

ASSEMBLIES = {HUMAN_GTF: "GRCh38", MOUSE_GTF: "GRCm39"}


def records(name, feature, key, tool):
    """Each line of the file with the record of its gene or transcript."""
    lines = known_lines(name, feature)

    async def get_all(ensembl, _):
        get = getattr(ensembl, tool)
        return await asyncio.gather(*(get(bare(line.attribute(key))) for line in lines))

    return list(zip(lines, on_sandbox("ensembl", get_all), strict=True))


def place(record):
    return (record.chromosome, record.start, record.end, record.strand)


@each_of(("name", "fewest"), [(HUMAN_GTF, 15), (MOUSE_GTF, 3)])
def test_a_gene_agrees_with_its_line_in_the_file(name, fewest):
    pairs = records(name, "gene", "gene_id", "get_gene")

    assert len(pairs) >= fewest
    for line, gene in pairs:
        assert f"{gene.id}.{gene.version}" == line.attribute("gene_id")
        assert (gene.symbol, gene.biotype) == (line.attribute("gene_name"), line.attribute("gene_type"))
        assert (place(gene), gene.assembly_name) == (line.place, ASSEMBLIES[name])
        assert line.attribute("hgnc_id") in {"", gene.cross_references.hgnc}
        assert line.attribute("mgi_id") in {"", gene.cross_references.alliance}


@each_of(("name", "fewest"), [(HUMAN_GTF, 40), (MOUSE_GTF, 5)])
def test_a_transcript_agrees_with_its_line_in_the_file(name, fewest):
    pairs = records(name, "transcript", "transcript_id", "get_transcript")

    assert len(pairs) >= fewest
    for line, transcript in pairs:
        tags = line.attributes.get("tag", ())
        assert f"{transcript.id}.{transcript.version}" == line.attribute("transcript_id")
        assert (transcript.parent_gene, transcript.biotype) == (
            bare(line.attribute("gene_id")),
            line.attribute("transcript_type"),
        )
        assert (place(transcript), transcript.assembly_name) == (line.place, ASSEMBLIES[name])
        assert transcript.is_canonical == ("Ensembl_canonical" in tags)
        assert transcript.mane_select is None or "MANE_Select" in tags
        assert transcript.translation is None or transcript.translation.id == bare(line.attribute("protein_id"))
