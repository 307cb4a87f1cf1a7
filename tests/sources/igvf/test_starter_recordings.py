"""The starter rows equal those of the recordings, if these have the same facts."""

import json
import re

import pytest

from biofact.sandbox.dialects.gene_info import FILES, gene_row
from tests.recordings import needs_recordings, recording
from tests.sources.igvf.catalog_rows import starter, starter_edges
from tests.sources.igvf.recorded import accepted, answers, objects, sample, table

pytestmark = pytest.mark.quick

ROWS = starter()
GENES, VARIANTS, PROTEINS, TRANSCRIPTS = (
    {row["_id"]: row for row in ROWS[name]} for name in ("genes", "variants", "proteins", "transcripts")
)
ENSEMBL = re.compile(r"Ensembl:(\w+)")
FORMER_SYMBOLS = {"FIRRM": "C1orf112"}
"""Symbols that are younger than the recorded file."""
UNPLACED_GENES = {"ENSG00000198804", "ENSG00000259943", "ENSMUSG00000089699"}
"""Genes whose row has no Ensembl ID, or that have no row."""
OTHER_RELEASE = {("TP53", 7687550)}
"""Ends of genes that differ between releases of Ensembl."""


@needs_recordings
def test_genes_are_as_gene_info_has_them():
    rows = [
        gene_row(line)
        for name in FILES
        if "sapiens" in name or "musculus" in name  # the Catalog has no others
        for line in recording(f"bulk/{name}").decode().splitlines()
        if not GENES.keys().isdisjoint(ENSEMBL.findall(line))
    ]
    message = {row.first_id("Ensembl"): row for row in rows}

    assert GENES.keys() - message.keys() == UNPLACED_GENES
    for gene in ROWS["genes"]:
        row = message.get(gene["_id"])
        if row:
            assert row.official_symbol == FORMER_SYMBOLS.get(gene["name"], gene["name"])
            assert (row.first_id("HGNC"), f"ENTREZ:{row.gene_id}") == (gene["hgnc"] or "", gene["entrez"])
            assert {f"chr{name}" for name in row.chromosomes} == {gene["chr"].replace("chrM", "chrMT")}
            assert set(row.synonyms) == set(gene["synonyms"] or ()) - set(FORMER_SYMBOLS.values())
            assert (row.gene_type == "protein-coding") == (gene["gene_type"] == "protein_coding")


@needs_recordings
def test_genes_are_where_the_service_has_them():
    message = [
        item
        for item in objects(answers())
        if (item.get("_id") or item.get("_key")) in GENES and {"start", "start:long"} & item.keys()
    ]

    assert len({item.get("_id") or item["_key"] for item in message}) >= 15
    for item in message:
        gene = GENES[item.get("_id") or item["_key"]]
        place = (item["chr"], item.get("start", item.get("start:long")), item.get("end", item.get("end:long")))
        assert place == (gene["chr"], gene["start"], gene["end"])
        assert [item[name] for name in ("name", "gene_type", "hgnc")] == [
            gene[name] for name in ("name", "gene_type", "hgnc")
        ]
        assert item.get("strand", gene["strand"]) == gene["strand"]
        assert f"ENTREZ:{(item.get('entrez') or gene['entrez']).removeprefix('ENTREZ:')}" == gene["entrez"]


@needs_recordings
def test_genes_are_where_ensembl_has_them():
    brca2 = json.loads(recording("ensembl/lookup_symbol_BRCA2.json"))
    pairs = {
        line["HGNC symbol"]: (
            line["Chromosome/scaffold name"],
            int(line["Gene start (bp)"]),
            int(line["Gene end (bp)"]),
        )
        for line in table("scout_ensembl_genes_38_reduced.txt")
        if line["Gene stable ID"] in GENES
    }
    places = {gene["name"]: (gene["chr"].removeprefix("chr"), gene["start"] + 1, gene["end"]) for gene in ROWS["genes"]}
    places["MT-CO1"] = ("MT", *places["MT-CO1"][1:])

    assert pairs.keys() >= {"LDLR", "UBR5", "MT-CO1"}
    assert {(name, place[2]) for name, place in pairs.items() if places[name] != place} == OTHER_RELEASE
    assert places["BRCA2"] == (brca2["seq_region_name"], brca2["start"], brca2["end"])


@needs_recordings
def test_mouse_genes_and_transcripts_are_as_gencode_has_them():
    pairs = {(row.subject, row.object) for row in starter_edges() if row.collection == "transcript_protein"}
    count = set()
    for line in recording("bulk/igvfsample_gencode_mouse_sample.gtf").decode().splitlines():
        if line.startswith("#"):
            continue
        chromosome, _, feature, start, end, _, strand, _, attributes = line.split("\t")
        fields = dict(re.findall(r'(\w+) "([^"]*)"', attributes))
        own_values = {"gene": GENES, "transcript": TRANSCRIPTS}.get(feature, {}).get(
            fields.get(f"{feature}_id", "").partition(".")[0]
        )
        if own_values:
            place = [own_values[name] for name in ("chr", "start", "end", "strand")]
            assert place == [chromosome, int(start) - 1, int(end), strand]
            assert own_values[f"{feature}_type"] == fields[f"{feature}_type"]
            assert own_values["name"] == fields[f"{feature}_name"]
            count.add(own_values["_id"])
        protein = fields.get("protein_id", "").partition(".")[0]
        if protein in PROTEINS:
            assert (fields["transcript_id"].partition(".")[0], protein) in pairs
            count.add(protein)

    assert count >= {"ENSMUSG00000051951", "ENSMUST00000070533", "ENSMUSP00000070648", "ENSMUST00000208660"}


@needs_recordings
def test_transcripts_of_ctcf_are_recorded_ones():
    pairs = (item["transcript"] for item in accepted("proteins_transcripts"))
    message = {transcript["_id"]: transcript for transcript in pairs if isinstance(transcript, dict)}
    text = [row for row in starter_edges() if row.collection == "gene_transcript"]
    own_values = [TRANSCRIPTS[row.object] for row in text if row.subject == "ENSG00000102974"]

    assert {transcript["_id"] for transcript in own_values} == message.keys()
    for transcript in own_values:
        repeat = ("start", "end", "name", "transcript_type", "chr")
        assert [transcript[name] for name in repeat] == [message[transcript["_id"]][name] for name in repeat]


@needs_recordings
def test_proteins_are_recorded_ones():
    message = [item for item in objects(answers()) if str(item.get("_id", "")).removeprefix("proteins/") in PROTEINS]
    pairs = set()
    for item in message:
        protein = PROTEINS[item["_id"].removeprefix("proteins/")]
        repeat = ("name", "uniprot_names")
        if "uniprot_ids" in item:
            repeat += ("uniprot_ids", "uniprot_full_names", "MANE_Select")
            assert [ref for ref in protein["dbxrefs"] or () if ref not in item["dbxrefs"]] == []
        assert [protein[name] for name in repeat] == [item[name] for name in repeat]
        pairs.add(protein["_id"])
    older = {item["_id"]: item for item in objects(answers()) if "full_name" in item and "_id" in item}
    for protein in ROWS["proteins"]:
        row = older.get(protein["uniprot_ids"][0] if protein["uniprot_ids"] else "")
        if row:
            assert [row["name"]] == protein["uniprot_names"]
            assert [row["full_name"]] == protein["uniprot_full_names"]
            pairs.add(protein["_id"])

    assert pairs >= {
        *("ENSP00000384707", "ENSP00000242057", "ENSP00000262053", "ENSP00000236995", "ENSP00000264110"),
        *("ENSP00000478114", "ENSP00000498906", "ENSP00000215057", "ENSP00000345702", "ENSP00000240055"),
    }


@needs_recordings
def test_variants_are_recorded_ones():
    pairs = set()
    for item in objects(answers()):
        variant = VARIANTS.get(item.get("spdi") or "")
        if variant and "rsid" in item:
            if (
                len(variant["ref"]) == len(variant["alt"]) == 1
            ):  # of others older answers have a VCF's place and alleles
                assert [item[name] for name in ("pos", "ref", "alt")] == [
                    variant[name] for name in ("pos", "ref", "alt")
                ]
            assert (item["rsid"] or None) == variant["rsid"]
            assert item["hgvs"] == variant["hgvs"]
            assert item.get("ca_id") in {variant["ca_id"], None}
            pairs.add(variant["spdi"])

    assert len(pairs) >= 18


@needs_recordings
def test_mouse_variants_have_recorded_strains():
    lines = recording("bulk/igvfsample_mouse_variants__mouse_variant_indel_rsid_sample.vcf").decode().splitlines()
    names = next(line for line in lines if line.startswith("#CHROM")).split("\t")
    message = {}
    for line in lines:
        if not line.startswith("#"):
            cells = dict(zip(names, line.split("\t"), strict=True))
            spdi = f"NC_000067.7:{int(cells['POS']) - 1}:{cells['REF']}:{cells['ALT']}"
            message[spdi] = {name for name in names[9:] if "1" in cells[name].partition(":")[0]}
    variants = [variant for variant in ROWS["variants"] if variant["spdi"] in message]

    assert len(variants) == 4
    assert all(set(variant["strain"]) <= message[variant["spdi"]] for variant in variants)


@needs_recordings
def test_entities_of_other_kinds_are_recorded_ones():
    terms = {item["term_id"]: item for item in objects(answers()) if "term_id" in item and "uri" in item}
    wholes = {item["_id"]: item for item in objects(answers()) if "molecules" in item}
    for line in table("igvfsample_EBI_complex_example.tsv"):
        wholes.setdefault(
            line["#Complex ac"],
            {
                "name": line["Recommended name"],
                "alias": [item for item in line["Aliases for complex"].split("|") if item != "-"],
                "molecules": line["Identifiers (and stoichiometry) of molecules in complex"].split("|"),
            },
        )
    ontology_terms = [term for term in ROWS["ontology_terms"] if term["term_id"] in terms]

    assert len(ontology_terms) >= 5
    for term in ontology_terms:
        assert [term[name] for name in ("name", "source")] == [
            terms[term["term_id"]][name] for name in ("name", "source")
        ]
    assert {whole["_id"] for whole in ROWS["complexes"]} <= wholes.keys()
    for whole in ROWS["complexes"]:
        message = wholes[whole["_id"]]
        assert (whole["name"], whole["alias"], whole["molecules"]) == (
            message["name"],
            message.get("alias") or None,
            message["molecules"],
        )


@needs_recordings
def test_drugs_studies_pathways_motifs_and_data_sets_are_recorded_ones():
    drug, pathway, data = sample("drugs"), sample("pathways"), sample("filesFilesets")
    (study,) = accepted("studies")
    motifs = {item["name"]: item for item in objects(answers()) if "pwm" in item}
    compared_motifs = [motif for motif in ROWS["motifs"] if motif["name"] in motifs]
    pairs = {
        "drugs": (drug, "name drug_ontology_terms"),
        "studies": (
            study,
            "pmid pub_author pub_date pub_journal pub_title trait_reported n_initial n_cases trait_efos",
        ),
        "pathways": (
            pathway,
            "name id_version name_aliases is_in_disease is_top_level_pathway disease_ontology_terms",
        ),
        "files_filesets": (data, "file_set_id lab method class source simple_sample_summaries collections"),
    }

    for collection, (message, repeat) in pairs.items():
        (own_values,) = (item for item in ROWS[collection] if item["_id"] == message["_id"])
        assert [own_values[name] for name in repeat.split()] == [message[name] for name in repeat.split()]
    assert len(compared_motifs) == 3
    for motif in compared_motifs:
        message = motifs[motif["name"]]
        assert (motif["tf_name"], motif["length"], motif["source"]) == (
            message["tf_name"],
            len(message["pwm"]),
            message["source"],
        )
