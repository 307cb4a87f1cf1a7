"""The starter facts, compared with every recording of the same gene."""

import dataclasses
import functools
import json
import re
from xml.etree.ElementTree import Element, fromstring

import pytest

from biofact.dialects import eutils
from biofact.sandbox.services.entrez.corpus import GenomicPlace, NcbiGeneFacts, gene_info, history, starter_genes
from biofact.sandbox.services.entrez.standin import docsum
from tests.recordings import FOLDER, GENE_TABLES, needs_recordings, recording
from tests.sandbox.services.entrez.test_standin import diseases
from tests.sources.entrez import gene_reader

pytestmark = pytest.mark.quick

STARTER_MARK = "[biofact starter text]"
"""The end of every summary that is ours and not NCBI's."""
STARTER = {gene.gene_id: gene for gene in starter_genes()}
LIVE = [gene for gene in starter_genes() if gene.status == "live"]
HUMAN = [gene for gene in LIVE if gene.taxon_id == 9606]

PAIRS = (
    *("symbol", "taxon_id", "name", "gene_type", "chromosomes", "official_symbol", "official_name", "nomenclature"),
    *("hgnc", "alliance", "ensembl", "omim", "map_location"),
)

# Starter facts that are newer than the file, or tidier.
VINTAGE = {
    ("916", "name"): "renamed between July 2021 and early 2022, as the recorded XML shows",
    ("916", "official_name"): "the same",
    ("7637", "map_location"): "the band alone, without the remark that stands behind it",
    ("3354888", "map_location"): "left out: a polytene and a genetic position in one",
}

XML = {
    "4747": "entrez/efetch_gene_test_entrezgeneset_0.xml.gz",
    "916": "entrez/efetch_gene_916_single_Entrezgene_root.xml",
    "2833": "entrez/efetch_gene_2833_single_Entrezgene_root.xml",
    "3627": "entrez/efetch_gene_3627_single_Entrezgene_root.xml.gz",
    "50943": "entrez/efetch_gene_50943_single_Entrezgene_root.xml.gz",
}
FIRST_SYNTHETIC_PMID = 99_000_001


@functools.cache
def recorded_genes() -> dict[str, NcbiGeneFacts]:
    result: dict[str, NcbiGeneFacts] = {}
    live = {gene.gene_id for gene in LIVE}
    for name in GENE_TABLES:
        for row in recording(name).decode().splitlines():
            if not row.startswith("#") and row.split("\t", 2)[1] in live:
                gene = gene_info(row)
                result.setdefault(gene.gene_id, gene)
    return result


def test_there_are_enough_genes_of_every_kind():
    assert len(HUMAN) >= 60
    assert {gene.taxon_id for gene in LIVE} == {9606, 10090, 10116, 7955, 7227, 6239, 559292}
    assert {gene.gene_type for gene in LIVE} >= {
        *("protein-coding", "pseudo", "ncRNA", "rRNA", "tRNA", "snRNA", "snoRNA", "biological-region", "unknown"),
    }
    assert any(not gene.summary for gene in LIVE)
    assert any(len(gene.uniprot) > 1 for gene in LIVE)


def test_every_replacement_is_a_live_gene():
    replaced_genes = [gene for gene in starter_genes() if gene.status == "secondary"]

    assert len(replaced_genes) >= 5
    assert {STARTER[gene.current_id].status for gene in replaced_genes} == {"live"}


def test_withdrawn_genes_say_when():
    withdrawn = [gene for gene in starter_genes() if gene.status == "discontinued"]

    assert len(withdrawn) >= 2
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", gene.discontinued_on) for gene in withdrawn)


def test_every_made_summary_is_marked():
    assert all(gene.summary.endswith(f" {STARTER_MARK}") for gene in starter_genes() if gene.summary)


def test_genes_have_enough_papers_to_show_paging():
    assert len(STARTER["672"].pmids) >= 15
    assert len(STARTER["7157"].pmids) > 100
    assert not STARTER["675"].pmids


SHARED = {"ENSG00000213999"}
"""IDs of MEF2B that gene_info also gives to its readthrough with BORCS8."""


def test_each_identifier_names_one_gene():
    for key in ("hgnc", "alliance"):
        values = [getattr(gene, key) for gene in LIVE if getattr(gene, key)]
        assert len(values) == len(set(values)), key
    for key in ("ensembl", "omim", "uniprot", "refseq"):
        values = [value for gene in LIVE for value in getattr(gene, key) if value not in SHARED]
        assert len(values) == len(set(values)), key


def test_the_recorded_gene_info_agrees():
    recordings = recorded_genes()

    differences = {
        (gene_id, key): (getattr(STARTER[gene_id], key), getattr(value, key))
        for gene_id, value in recordings.items()
        for key in PAIRS
        if getattr(STARTER[gene_id], key) != getattr(value, key)
    }
    assert len(recordings) > 100
    assert set(differences) == set(VINTAGE), differences


def test_the_recorded_gene_info_knows_every_name():
    recordings = recorded_genes()

    unknown = {
        gene_id: names
        for gene_id, value in recordings.items()
        if (names := {*STARTER[gene_id].aliases} - {*value.aliases})
        or (names := {*STARTER[gene_id].designations} - {*value.designations})
    }
    assert unknown == {}


def test_the_recorded_orthologs_agree():
    header, *lines = recording("bulk/hgnc_hcop_orthologs_excerpt.txt").decode().splitlines()
    names = header.split("\t")
    rows = [dict(zip(names, line.split("\t"), strict=True)) for line in lines]

    result = {
        row["ortholog_species_entrez_gene"]: row for row in rows if row["ortholog_species_entrez_gene"] in STARTER
    }
    assert set(result) >= {"140656", "42460"}
    for gene_id, row in result.items():
        gene = STARTER[gene_id]
        assert gene.symbol == row["ortholog_species_symbol"]
        assert str(gene.taxon_id) == row["ortholog_species"]
        assert gene.alliance.removeprefix("FB:") == row["ortholog_species_db_id"]


def test_the_recorded_annotation_agrees_on_places():
    recordings: dict[str, set[GenomicPlace]] = {}
    for line in recording("bulk/genenorm_ncbi_GRCh38.p14.gff").decode().splitlines():
        cells = line.split("\t")
        if len(cells) == 9 and cells[2] in {"gene", "pseudogene"} and cells[0].startswith("NC_"):
            gene_id = re.search(r"GeneID:(\d+)", cells[8])[1]
            start, end, strand = int(cells[3]), int(cells[4]), {"+": 1, "-": -1}[cells[6]]
            place = GenomicPlace("GRCh38.p14", cells[0], start, end, strand)
            recordings.setdefault(gene_id, set()).add(place)

    assert len(recordings) > 15
    assert {gene_id: set(STARTER[gene_id].places) for gene_id in recordings} == recordings


def test_the_recorded_record_agrees(subtests):
    for gene_id, name in XML.items():
        with subtests.test(gene_id=gene_id):
            root = fromstring(recording(name))
            record = root if root.tag == "Entrezgene" else root[0]
            gene = STARTER[gene_id]

            ref = record.find("Entrezgene_gene/Gene-ref")
            assert record.findtext("Entrezgene_track-info/Gene-track/Gene-track_geneid") == gene_id
            assert (gene.symbol, gene.name) == (ref.findtext("Gene-ref_locus"), ref.findtext("Gene-ref_desc"))
            assert gene.map_location == ref.findtext("Gene-ref_maploc")
            assert {*gene.aliases} <= {alias.text for alias in ref.find("Gene-ref_syn")}
            assert {gene.hgnc, *gene.ensembl, *gene.omim} == {
                tag.findtext("Dbtag_tag/Object-id/*") for tag in ref.find("Gene-ref_db")
            }
            assert (gene.places, gene.release) == _places_and_heading(record)
            assert {*gene.refseq} <= {
                product.findtext("Gene-commentary_accession")
                for product in record.iterfind(
                    "Entrezgene_locus/Gene-commentary/Gene-commentary_products/Gene-commentary"
                )
            }
            assert [*gene.uniprot] == [
                accession.removeprefix("UniProtKB/Swiss-Prot:")
                for source in record.iter("Other-source_anchor")
                if (accession := source.text).startswith("UniProtKB/Swiss-Prot:")
            ]
            assert {*gene.pmids} <= {pmid.text for pmid in record.iter("PubMedId")}


def _places_and_heading(record: Element) -> tuple[tuple[GenomicPlace, ...], str]:
    locus = record.find("Entrezgene_locus/Gene-commentary")
    interval = locus.find("Gene-commentary_seqs/Seq-loc/Seq-loc_int/Seq-interval")
    strand = {"plus": 1, "minus": -1}[interval.find("Seq-interval_strand/Na-strand").get("value")]
    place = GenomicPlace(
        locus.findtext("Gene-commentary_heading").split()[1],
        f"{locus.findtext('Gene-commentary_accession')}.{locus.findtext('Gene-commentary_version')}",
        int(interval.findtext("Seq-interval_from")) + 1,
        int(interval.findtext("Seq-interval_to")) + 1,
        strand,
    )
    headings = (heading.text for heading in record.iter("Gene-commentary_heading"))
    annotated = next(heading for heading in headings if heading.startswith("RefSeqs of Annotated Genomes: "))
    return (place,), annotated.removeprefix("RefSeqs of Annotated Genomes: ")


def test_the_recorded_summary_of_kras_agrees():
    recordings = json.loads(recording("entrez/esummary_gene_3845_json_pori.json"))["result"]["3845"]
    own_values = docsum(STARTER["3845"])

    assert set(own_values) == set(recordings)
    always_present = {"summary", "otheraliases", "otherdesignations", "genomicinfo", "locationhist"}
    assert {key: own_values[key] for key in own_values if key not in always_present} == {
        key: recordings[key] for key in recordings if key not in always_present
    }
    assert {*own_values["otheraliases"].split(", ")} <= {*recordings["otheraliases"].split(", ")}
    assert {*own_values["otherdesignations"].split("|")} <= {*recordings["otherdesignations"].split("|")}
    assert own_values["genomicinfo"] == [{**recordings["genomicinfo"][0], "exoncount": ""}]
    assert own_values["locationhist"] == [{**recordings["locationhist"][0], "assemblyaccver": ""}]


@needs_recordings
def test_weights_are_those_of_every_recorded_summary_and_no_others():
    bodies = [path.read_bytes() for path in (FOLDER / "entrez").iterdir() if "esummary" in path.name]
    summaries = [eutils.summaries(body) for body in bodies if b"geneweight" in body.lower()]

    recorded_weights = {uid: int(row["geneweight"]) for answer in summaries for uid, row in answer.docsums.items()}
    assert len(recorded_weights) > 1
    assert {uid: gene.weight for uid, gene in STARTER.items() if gene.weight} == recorded_weights


def test_the_recorded_replaced_record_agrees():
    record = fromstring(recording("entrez/efetch_gene_9606_SECONDARY_replaced_by_8666_single_Entrezgene_root.xml"))
    gene = STARTER["9606"]

    assert gene.status == record.find("Entrezgene_track-info/Gene-track/Gene-track_status").get("value")
    assert gene.symbol == record.findtext("Entrezgene_gene/Gene-ref/Gene-ref_locus")
    assert gene.name == record.findtext("Entrezgene_gene/Gene-ref/Gene-ref_desc")
    current = "Entrezgene_track-info/Gene-track/Gene-track_current-id/Dbtag/Dbtag_tag/Object-id/Object-id_id"
    assert {gene.current_id} == {result.text for result in record.iterfind(current)}
    date = record.find("Entrezgene_track-info/Gene-track/Gene-track_discontinue-date/Date/Date_std/Date-std")
    assert tuple(map(int, gene.discontinued_on.split("-"))) == tuple(int(part.text) for part in date[:3])


def test_the_recorded_history_agrees():
    recordings = {gene.gene_id: gene for gene in history(recording("bulk/genenorm_ncbi_history_20260421.tsv").decode())}

    shared = recordings.keys() & STARTER.keys()
    assert len(shared) == 8
    assert {gene_id: STARTER[gene_id] for gene_id in shared} == {gene_id: recordings[gene_id] for gene_id in shared}


def test_the_recorded_hgnc_records_agree():
    full = json.loads(recording("bulk/genenorm_hgnc_20260424.json"))["response"]["docs"]
    brca2 = json.loads(recording("bulk/hgnc_rest_fetch_hgnc_id_1101_BRCA2.json"))["response"]["docs"]
    records = {record["entrez_id"]: record for record in [*full, *brca2, *_hgnc_table()] if record.get("entrez_id")}

    known_values = [STARTER[gene_id] for gene_id in records if gene_id in STARTER]
    assert {gene.symbol for gene in known_values} >= {"TP53", "BRCA2", "GNAS", "COX1", "ABL1", "BRAF"}
    for gene in known_values:
        record = records[gene.gene_id]
        assert gene.hgnc == record["hgnc_id"]
        assert gene.official_symbol == record["symbol"]
        if gene.ensembl:
            assert record["ensembl_gene_id"] in gene.ensembl
        if gene.uniprot:
            assert {*gene.uniprot} == {*record["uniprot_ids"]}
        assert {*gene.omim} == {*(record.get("omim_id") or ())}, gene


def _hgnc_table() -> list[dict[str, object]]:
    header, *lines = recording("bulk/scout_hgnc_reduced_set.txt").decode().splitlines()
    names = header.split("\t")
    rows = [dict(zip(names, line.split("\t"), strict=False)) for line in lines]  # trailing empty cells are left out
    group = ("uniprot_ids", "omim_id")
    return [row | {key: [v for v in row.get(key, "").strip('"').split("|") if v] for key in group} for row in rows]


# ChEMBL's names for targets, where they share no word with ours that says more than "protein".
SAME_PROTEIN_UNDER_ANOTHER_NAME = {"P35354", "P63092", "Q5JWF2"}  # cyclooxygenase; two of the G(s) proteins of GNAS
COMMON_WORDS = {
    "protein",
    "proteins",
    "receptor",
    "kinase",
    "factor",
    "chain",
    "subunit",
    "alpha",
    "beta",
    "gamma",
    "type",
}


def test_the_recorded_chembl_targets_name_the_same_proteins():
    targets = {}
    for line in recording("bulk/chembl_32_uniprot_mapping.txt").decode().splitlines()[1:]:
        accession, _, name, kind = line.split("\t")
        if kind == "SINGLE PROTEIN":
            targets[accession] = name

    pairs = {
        accession: (words(targets[accession]), words(" ".join((gene.name, *gene.symbols, *gene.designations))))
        for gene in HUMAN
        for accession in gene.uniprot
        if accession in targets
    }
    strangers = {accession for accession, (other_values, own_values) in pairs.items() if not other_values & own_values}
    assert len(pairs) > 40
    assert strangers == SAME_PROTEIN_UNDER_ANOTHER_NAME, {a: pairs[a] for a in strangers}


def words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) > 1} - COMMON_WORDS


def test_synthetic_papers_are_out_of_the_range_of_real_ones():
    numbers = {int(pmid) for gene in LIVE if gene.gene_id not in XML for pmid in gene.pmids}

    assert min(numbers) >= FIRST_SYNTHETIC_PMID
    assert all(int(pmid) < FIRST_SYNTHETIC_PMID for gene_id in XML for pmid in STARTER[gene_id].pmids)


def test_places_name_the_release_that_they_come_from():
    releases = {(place.assembly, gene.release) for gene in STARTER.values() for place in gene.places}

    assert releases == {
        ("GRCh38.p14", "GCF_000001405.40-RS_2023_10"),
        ("GRCh38.p13", "Homo sapiens Updated Annotation Release 109.20211119"),
    }


def test_an_authority_s_names_are_reported_as_official():
    for gene in STARTER.values():
        names = bool(gene.hgnc or gene.alliance or gene.official_symbol)
        assert (bool(gene.official_symbol), gene.nomenclature) == (names, "Official" if names else "")


def test_annotations_are_those_of_the_recorded_record(subtests):
    for gene in [gene for gene in LIVE if gene.go_terms and gene.gene_id in XML]:
        with subtests.test(gene=gene):
            (root,) = gene_reader.records(XML[gene.gene_id])
            terms = [
                {
                    **dataclasses.asdict(term),
                    "pmids": [f"PMID:{pmid}" for pmid in sorted(term.pmids, key=int, reverse=True)],
                }
                for term in gene.go_terms
            ]
            pairs = [(rif["pmids"], rif["date"]) for rif in gene_reader.generifs(root)]

            go_terms = gene_reader.go_terms(root)
            assert [term for term in terms if {k: v for k, v in term.items() if v} not in go_terms] == []
            assert [disease for disease in diseases(gene) if disease not in gene_reader.phenotypes(root)] == []
            assert [
                rif for rif in gene.generifs if ([f"PMID:{pmid}" for pmid in rif.pmids], rif.date) not in pairs
            ] == []


def test_sentences_of_generifs_are_our_own_and_other_genes_articles_synthetic(subtests):
    for gene in [gene for gene in LIVE if gene.generifs]:
        with subtests.test(gene=gene):
            assert all(rif.text.endswith(STARTER_MARK) for rif in gene.generifs)
            if gene.gene_id not in XML:
                cited = [pmid for generif in (*gene.generifs, *gene.go_terms) for pmid in generif.pmids]
                assert all(int(pmid) >= FIRST_SYNTHETIC_PMID for pmid in cited)
