"""The starter facts, compared with the recorded files of genes: GTF, GFF3, dump, BioMart, UniProt, one whole lookup."""

import csv
import functools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, fromstring

import pytest

from biofact.sandbox.services.ensembl.corpus import rows_of_starter, whole_genes
from biofact.sandbox.tables import Row
from tests.recordings import recording

pytestmark = pytest.mark.quick

GENES = {gene["id"]: gene for gene in whole_genes(rows_of_starter())}
TRANSCRIPTS = {transcript["id"]: transcript for gene in GENES.values() for transcript in gene.get("Transcript", ())}
HUMAN_GTF = "bulk/igvfsample_gencode_sample.gtf"  # GENCODE 43, Ensembl 109
MOUSE_GTF = "bulk/igvfsample_gencode_mouse_sample.gtf"  # GENCODE M33, Ensembl 110
ATTRIBUTE = re.compile(r'(\w+) "?([^";]+)"?;')

# Spans that a later release than the recorded one has.
MOVED_GENES = {"ENSG00000141510": "one first exon of TP53 became shorter"}


@dataclass
class Line:
    """One line of a GTF file."""

    feature: str
    place: tuple[str, int, int, int]
    attributes: dict[str, list[str]] = field(default_factory=dict)

    def attribute(self, key: str) -> str:
        return self.attributes.get(key, [""])[0]


def gtf(text: str) -> Iterator[Line]:
    """The lines of a GTF file. Some recorded files have blanks for tabs; `chr` before a chromosome is removed."""
    for line in text.splitlines():
        if not line.startswith("#"):
            region, _, feature, start, end, _, sign, _, rest = re.split(r"\s+", line.strip(), maxsplit=8)
            attributes: dict[str, list[str]] = {}
            for key, value in ATTRIBUTE.findall(rest):
                attributes.setdefault(key, []).append(value)
            strand = {"+": 1, "-": -1}[sign]
            yield Line(feature, (region.removeprefix("chr"), int(start), int(end), strand), attributes)


@functools.cache
def known_lines(name: str, feature: str) -> list[Line]:
    """The lines of one kind about a starter gene or, except for genes, a starter transcript."""
    lines = [line for line in gtf(recording(name).decode()) if line.feature == feature]
    if feature == "gene":
        return [line for line in lines if bare(line.attribute("gene_id")) in GENES and line.place[0] != "Y"]
    return [line for line in lines if bare(line.attribute("transcript_id")) in TRANSCRIPTS and line.place[0] != "Y"]


def bare(stable_id: str) -> str:
    return stable_id.partition(".")[0]


def place(record: Row) -> tuple[str, int, int, int]:
    return record["seq_region_name"], record["start"], record["end"], record["strand"]


def mane(transcript: Row, kind: str) -> str:
    return next((match["refseq_match"] for match in transcript["MANE"] if match["type"] == kind), "")


def xrefs(gene: Row, dbname: str) -> set[str]:
    return {xref["primary_id"] for xref in gene["xrefs"] if xref["dbname"] == dbname}


def test_the_reader_reads_attributes_given_twice_and_numbers_without_quotes():
    text = 'chr7\tX\texon\t3\t9\t.\t-\t.\tgene_id "G.1"; exon_number 2; tag "basic"; tag "CCDS";\n'

    (line,) = gtf("##format: gtf\n" + text)

    assert line.place == ("7", 3, 9, -1)
    assert line.attributes == {"gene_id": ["G.1"], "exon_number": ["2"], "tag": ["basic", "CCDS"]}


@pytest.mark.parametrize(("name", "fewest"), [(HUMAN_GTF, 15), (MOUSE_GTF, 3)])
def test_the_recorded_genes_agree(name, fewest):
    lines = known_lines(name, "gene")

    assert len(lines) >= fewest
    for line in lines:
        gene = GENES[bare(line.attribute("gene_id"))]
        symbol = line.attribute("gene_name")
        assert f"{gene['id']}.{gene.get('version')}" == line.attribute("gene_id")
        assert gene.get("display_name", "") == ("" if symbol == gene["id"] else symbol)
        assert (gene["biotype"], place(gene)) == (line.attribute("gene_type"), line.place)
        assert {*line.attributes.get("hgnc_id", ())} <= xrefs(gene, "HGNC")
        assert {*line.attributes.get("mgi_id", ())} <= xrefs(gene, "MGI")


@pytest.mark.parametrize(("name", "fewest"), [(HUMAN_GTF, 40), (MOUSE_GTF, 5)])
def test_the_recorded_transcripts_agree(name, fewest):
    lines = known_lines(name, "transcript")

    assert len(lines) >= fewest
    for line in lines:
        gene, transcript = GENES[bare(line.attribute("gene_id"))], TRANSCRIPTS[bare(line.attribute("transcript_id"))]
        output = line.attribute("transcript_name")
        tags = line.attributes.get("tag", ())
        assert transcript in gene.get("Transcript", [])
        assert f"{transcript['id']}.{transcript.get('version')}" == line.attribute("transcript_id")
        assert (transcript["biotype"], place(transcript)) == (line.attribute("transcript_type"), line.place)
        assert transcript.get("display_name", "") == ("" if output == transcript["id"] else output)
        assert ("Ensembl_canonical" in tags) == (
            gene.get("canonical_transcript", "") == line.attribute("transcript_id")
        )
        if "Ensembl_canonical" in tags:
            assert {*line.attributes.get("ccdsid", ())} == xrefs(gene, "CCDS")
        if protein := transcript.get("Translation"):
            assert f"{protein['id']}.{protein.get('version')}" == line.attribute("protein_id")


@pytest.mark.parametrize(("name", "fewest"), [(HUMAN_GTF, 12), (MOUSE_GTF, 3)])
def test_the_recorded_exons_agree(name, fewest):
    recordings: dict[str, list[tuple[int, str, int, int]]] = {}
    for line in known_lines(name, "exon"):
        exon = (int(line.attribute("exon_number")), line.attribute("exon_id"), *line.place[1:3])
        recordings.setdefault(bare(line.attribute("transcript_id")), []).append(exon)

    transcripts = [transcript for key in recordings if "Exon" in (transcript := TRANSCRIPTS[key])]
    assert len(transcripts) >= fewest
    for transcript in transcripts:
        pairs = [
            (f"{exon['id']}.{exon.get('version')}", exon.get("start"), exon.get("end"))
            for exon in transcript.get("Exon", [])
        ]
        assert pairs == [exon[1:] for exon in sorted(recordings[transcript["id"]])]


@pytest.mark.parametrize(("name", "fewest"), [(HUMAN_GTF, 12), (MOUSE_GTF, 1)])
def test_the_recorded_coding_sequences_agree(name, fewest):
    coding: dict[str, list[tuple[int, int]]] = {}
    for line in known_lines(name, "CDS"):
        coding.setdefault(bare(line.attribute("transcript_id")), []).append(line.place[1:3])
    stops = {bare(line.attribute("transcript_id")): line.place[1:3] for line in known_lines(name, "stop_codon")}

    transcripts = [transcript for key in coding if "Translation" in (transcript := TRANSCRIPTS[key]) and key in stops]
    assert len(transcripts) >= fewest
    for transcript in transcripts:
        parts, stop = coding[transcript["id"]], stops[transcript["id"]]
        protein = transcript.get("Translation")
        assert protein.get("length") == sum(end - start + 1 for start, end in parts) / 3
        ends = sorted(position for part in (*parts, stop) for position in part)
        assert (protein.get("start"), protein.get("end")) == (ends[0], ends[-1])


def test_the_recorded_fly_gff3_agrees():
    result: dict[str, tuple[str, tuple[str, int, int, int]]] = {}
    for line in recording("bulk/gffutils_FBgn0031208.gff").decode().splitlines():
        cells = line.split("\t")
        if len(cells) == 9 and cells[2] in {"gene", "mRNA"} and not line.startswith("#"):
            attributes = dict(re.findall(r"(\w+)=([^;]*)", cells[8]))
            span = (cells[0].removeprefix("chr"), int(cells[3]), int(cells[4]), {"+": 1, "-": -1}[cells[6]])
            result[attributes["ID"]] = (attributes.get("Name", ""), span)

    gene = GENES["FBgn0031208"]
    assert result[gene["id"]] == (gene.get("display_name", ""), place(gene))
    assert [transcript["id"] for transcript in gene.get("Transcript", [])] == ["FBtr0300689", "FBtr0300690"]
    for transcript in gene.get("Transcript", []):
        assert result[transcript["id"]] == (transcript.get("display_name", ""), place(transcript))


def test_the_recorded_ncbi_annotation_has_every_gene_on_the_same_chromosome_and_strand():
    recordings: dict[str, set[tuple[str, int]]] = {}
    for line in recording("bulk/genenorm_ncbi_GRCh38.p14.gff").decode().splitlines():
        cells = line.split("\t")
        if len(cells) == 9 and cells[2] in {"gene", "pseudogene"} and cells[0].startswith("NC_0000"):
            number = int(cells[0][7:9])
            region = {23: "X", 24: "Y"}.get(number, str(number))
            gene_id = re.search(r"GeneID:(\d+)", cells[8])[1]
            recordings.setdefault(gene_id, set()).add((region, {"+": 1, "-": -1}[cells[6]]))

    pairs = 0
    for gene in GENES.values():
        for gene_id in xrefs(gene, "EntrezGene") & recordings.keys():
            pairs += 1
            assert (gene.get("seq_region_name", ""), gene["strand"]) in recordings[gene_id], gene["id"]
    assert pairs


def test_the_recorded_json_dump_agrees():
    rows = map(json.loads, recording("bulk/ensembl_homo_sapiens_json_dump_excerpt.jsonl.gz").decode().splitlines())
    pairs = [(GENES[row["id"]], row) for row in rows if row["id"] in GENES]

    assert len(pairs) >= 8
    for gene, row in pairs:
        assert (gene.get("display_name", ""), gene.get("description", "")) == (
            row.get("approvedSymbol", ""),
            row.get("description", ""),
        )
        assert (gene["biotype"], place(gene)) == (row["biotype"], dumped(row))
        assert xrefs(gene, "Uniprot/SWISSPROT") == {*row.get("uniprot_swissprot", ())}
        transcripts = {transcript["id"]: transcript for transcript in row["transcripts"]}
        for transcript in gene.get("Transcript", []):
            answer = transcripts[transcript["id"]]
            assert (transcript["biotype"], place(transcript)) == (answer["biotype"], dumped(answer))
            assert transcript.get("display_name", "") == answer.get("approvedSymbol", "")


def dumped(row: dict[str, str]) -> tuple[str, int, int, int]:
    return row["chromosome"], int(row["start"]), int(row["end"]), int(row["strand"])


def table(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(recording(name).decode().splitlines(), delimiter="\t"))


@pytest.mark.parametrize(
    ("name", "fewest"), [("bulk/scout_ensembl_genes_38_reduced.txt", 10), ("bulk/schug_biomart_genes_38.tsv", 5)]
)
def test_the_recorded_biomart_genes_agree(name, fewest):
    pairs = [(GENES[row["Gene stable ID"]], row) for row in table(name) if row["Gene stable ID"] in GENES]

    assert len(pairs) >= fewest
    for gene, row in pairs:
        assert gene.get("display_name", "") == row["HGNC symbol"]
        assert {"HGNC:" + row["HGNC ID"].removeprefix("HGNC:")} == xrefs(gene, "HGNC")
        assert gene["biotype"] == row.get("Gene type", gene["biotype"])
        answer = (row["Chromosome/scaffold name"], int(row["Gene start (bp)"]), int(row["Gene end (bp)"]))
        assert (place(gene)[:3] == answer) != (gene["id"] in MOVED_GENES), gene["id"]
        assert place(gene)[0] == answer[0]


def test_the_recorded_biomart_transcripts_agree():
    rows = [row for row in table("bulk/schug_biomart_transcripts_38.tsv") if row["Transcript stable ID"] in TRANSCRIPTS]

    assert {row["Gene stable ID"] for row in rows} == {
        *("ENSG00000177000", "ENSG00000228716", "ENSG00000110195", "ENSG00000076351", "ENSG00000210196"),
    }
    for row in rows:
        transcript = TRANSCRIPTS[row["Transcript stable ID"]]
        assert transcript in GENES[row["Gene stable ID"]]["Transcript"]
        answer = (row["Chromosome/scaffold name"], int(row["Transcript start (bp)"]), int(row["Transcript end (bp)"]))
        assert place(transcript)[:3] == answer
        assert mane(transcript, "MANE_Select") == row["RefSeq match transcript (MANE Select)"]
        assert mane(transcript, "MANE_Plus_Clinical") == row["RefSeq match transcript (MANE Plus Clinical)"]


def test_the_recorded_biomart_export_of_brca2_agrees():
    rows = {row["Transcript stable ID"]: row for row in table("bulk/ensembl_biomart_export_ENSG00000139618.tsv")}
    gene = GENES["ENSG00000139618"]

    assert {transcript["id"] for transcript in gene.get("Transcript", [])} <= rows.keys()
    for transcript in gene.get("Transcript", []):
        row = rows[transcript["id"]]
        assert f"{transcript['id']}.{transcript.get('version')}" == row["Transcript stable ID version"]
        assert (gene.get("display_name", ""), gene.get("description", "")) == (
            row["Gene name"],
            row["Gene description"],
        )
        if protein := transcript.get("Translation"):
            assert f"{protein['id']}.{protein.get('version')}" == row["Protein stable ID version"]


def test_the_recorded_uniprot_entries_name_the_same_genes_transcripts_and_proteins():
    accession, pairs = "", set()
    for line in recording("bulk/igvfsample_uniprot_sprot_human_sample.dat.gz").decode().splitlines():
        if line.startswith("ID "):
            accession = ""
        elif line.startswith("AC ") and not accession:
            accession = line.split()[1].rstrip(";")
        elif line.startswith("DR   Ensembl; "):
            stable_ids = re.findall(r"ENS[TPG]\d{11}\.\d+", line)
            gene, transcript = GENES.get(bare(stable_ids[2])), TRANSCRIPTS.get(bare(stable_ids[0]))
            if gene and transcript:
                pairs.add(gene.get("display_name", ""))
                assert xrefs(gene, "Uniprot/SWISSPROT") == {accession}
                assert f"{transcript['id']}.{transcript.get('version')}" == stable_ids[0]
                protein = transcript["Translation"]
                assert f"{protein['id']}.{protein.get('version')}" == stable_ids[1]

    assert pairs >= {"PAK5", "JAG1", "MKKS", "ANKEF1", "BTBD3"}


def lookup_place(row: dict[str, object]) -> tuple[object, ...]:
    return tuple(row[key] for key in ("seq_region_name", "start", "end", "strand"))


def test_the_recorded_lookup_of_all_of_braf_agrees():
    payload = json.loads(recording("ensembl/lookup-braf-expanded-response.json"))
    gene = GENES[payload["id"]]

    assert (gene.get("version"), gene.get("display_name", "")) == (payload["version"], payload["display_name"])
    assert (gene.get("description", ""), gene["biotype"], place(gene)) == (
        payload["description"],
        payload["biotype"],
        lookup_place(payload),
    )
    recordings = {row["id"]: row for row in payload["Transcript"]}
    assert {transcript["id"] for transcript in gene.get("Transcript", [])} == recordings.keys()
    assert [bare(gene.get("canonical_transcript", ""))] == [
        key for key, row in recordings.items() if row["is_canonical"]
    ]
    for transcript in gene.get("Transcript", []):
        row = recordings[transcript["id"]]
        versions = (row["version"], row["display_name"], row["biotype"])
        assert (transcript.get("version"), transcript.get("display_name", ""), transcript["biotype"]) == versions
        assert place(transcript) == lookup_place(row)
        protein = transcript.get("Translation")
        assert bool(protein) == ("Translation" in row)
        if protein:
            own_values = {key: protein[key] for key in ("id", "length", "start", "end")}
            assert own_values.items() <= row["Translation"].items()


def test_the_recorded_lookup_of_braf_has_the_exons_of_its_canonical_transcript():
    payload = json.loads(recording("ensembl/lookup-braf-expanded-response.json"))
    (row,) = (row for row in payload["Transcript"] if row["is_canonical"])

    pairs = [
        (exon["id"], exon.get("version"), exon.get("start"), exon.get("end")) for exon in TRANSCRIPTS[row["id"]]["Exon"]
    ]
    assert pairs == [tuple(exon[key] for key in ("id", "version", "start", "end")) for exon in row["Exon"]]


OTHER_ID = "Gene-commentary_source/Other-source/Other-source_src/Dbtag/Dbtag_tag/Object-id/Object-id_str"


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("efetch_gene_test_entrezgeneset_0.xml.gz", "NEFL"),
        ("efetch_gene_916_single_Entrezgene_root.xml", "CD3E"),
        ("efetch_gene_3627_single_Entrezgene_root.xml.gz", "CXCL10"),
        ("efetch_gene_50943_single_Entrezgene_root.xml.gz", "FOXP3"),
    ],
)
def test_the_recorded_ncbi_record_has_the_same_ensembl_partners(name, symbol):
    recordings = set()
    for product in fromstring(recording(f"entrez/{name}")).iter("Gene-commentary"):
        accession = product.findtext("Gene-commentary_accession", "")
        if accession.startswith("NM_"):
            partner = f"{accession}.{product.findtext('Gene-commentary_version')}"
            proteins = (ensembl(result) for result in product.iterfind("Gene-commentary_products/Gene-commentary"))
            recordings |= {(partner, ensembl(product), protein) for protein in proteins}

    (gene,) = (
        gene for gene in GENES.values() if gene.get("display_name", "") == symbol and gene["species"] == "homo_sapiens"
    )
    (transcript,) = gene.get("Transcript", [])
    protein = transcript.get("Translation")
    assert protein
    manes = (
        mane(transcript, "MANE_Select"),
        f"{transcript['id']}.{transcript.get('version')}",
        f"{protein['id']}.{protein.get('version')}",
    )
    assert manes in recordings


def ensembl(product: Element) -> str:
    """The Ensembl ID that NCBI calls related to a product."""
    texts = [answer.text or "" for answer in product.iterfind(f"Gene-commentary_comment/Gene-commentary/{OTHER_ID}")]
    return next((value for value in texts if value.startswith("ENS")), "")
