"""The starter rows are as the recordings have them, wherever these know the same."""

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
RENAMED = {"FIRRM": "C1orf112"}
"""Symbols that are younger than the recorded file."""
UNPLACED = {"ENSG00000198804", "ENSG00000259943", "ENSMUSG00000089699"}
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
    told = {row.first_id("Ensembl"): row for row in rows}

    assert GENES.keys() - told.keys() == UNPLACED
    for gene in ROWS["genes"]:
        row = told.get(gene["_id"])
        if row:
            assert row.official_symbol == RENAMED.get(gene["name"], gene["name"])
            assert (row.first_id("HGNC"), f"ENTREZ:{row.gene_id}") == (gene["hgnc"] or "", gene["entrez"])
            assert {f"chr{name}" for name in row.chromosomes} == {gene["chr"].replace("chrM", "chrMT")}
            assert set(row.synonyms) == set(gene["synonyms"] or ()) - set(RENAMED.values())
            assert (row.gene_type == "protein-coding") == (gene["gene_type"] == "protein_coding")


@needs_recordings
def test_genes_are_where_the_service_has_them():
    told = [
        each
        for each in objects(answers())
        if (each.get("_id") or each.get("_key")) in GENES and {"start", "start:long"} & each.keys()
    ]

    assert len({each.get("_id") or each["_key"] for each in told}) >= 15
    for each in told:
        gene = GENES[each.get("_id") or each["_key"]]
        place = (each["chr"], each.get("start", each.get("start:long")), each.get("end", each.get("end:long")))
        assert place == (gene["chr"], gene["start"], gene["end"])
        assert [each[name] for name in ("name", "gene_type", "hgnc")] == [
            gene[name] for name in ("name", "gene_type", "hgnc")
        ]
        assert each.get("strand", gene["strand"]) == gene["strand"]
        assert f"ENTREZ:{(each.get('entrez') or gene['entrez']).removeprefix('ENTREZ:')}" == gene["entrez"]


@needs_recordings
def test_genes_are_where_ensembl_has_them():
    brca2 = json.loads(recording("ensembl/lookup_symbol_BRCA2.json"))
    compared = {
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

    assert compared.keys() >= {"LDLR", "UBR5", "MT-CO1"}
    assert {(name, place[2]) for name, place in compared.items() if places[name] != place} == OTHER_RELEASE
    assert places["BRCA2"] == (brca2["seq_region_name"], brca2["start"], brca2["end"])


@needs_recordings
def test_mouse_genes_and_transcripts_are_as_gencode_has_them():
    made = {(row.subject, row.object) for row in starter_edges() if row.collection == "transcript_protein"}
    compared = set()
    for line in recording("bulk/igvfsample_gencode_mouse_sample.gtf").decode().splitlines():
        if line.startswith("#"):
            continue
        chromosome, _, feature, start, end, _, strand, _, attributes = line.split("\t")
        told = dict(re.findall(r'(\w+) "([^"]*)"', attributes))
        ours = {"gene": GENES, "transcript": TRANSCRIPTS}.get(feature, {}).get(
            told.get(f"{feature}_id", "").partition(".")[0]
        )
        if ours:
            place = [ours[name] for name in ("chr", "start", "end", "strand")]
            assert place == [chromosome, int(start) - 1, int(end), strand]
            assert ours[f"{feature}_type"] == told[f"{feature}_type"]
            assert ours["name"] == told[f"{feature}_name"]
            compared.add(ours["_id"])
        protein = told.get("protein_id", "").partition(".")[0]
        if protein in PROTEINS:
            assert (told["transcript_id"].partition(".")[0], protein) in made
            compared.add(protein)

    assert compared >= {"ENSMUSG00000051951", "ENSMUST00000070533", "ENSMUSP00000070648", "ENSMUST00000208660"}


@needs_recordings
def test_transcripts_of_ctcf_are_recorded_ones():
    pairs = (each["transcript"] for each in accepted("proteins_transcripts"))
    told = {transcript["_id"]: transcript for transcript in pairs if isinstance(transcript, dict)}
    joined = [row for row in starter_edges() if row.collection == "gene_transcript"]
    ours = [TRANSCRIPTS[row.object] for row in joined if row.subject == "ENSG00000102974"]

    assert {transcript["_id"] for transcript in ours} == told.keys()
    for transcript in ours:
        same = ("start", "end", "name", "transcript_type", "chr")
        assert [transcript[name] for name in same] == [told[transcript["_id"]][name] for name in same]


@needs_recordings
def test_proteins_are_recorded_ones():
    told = [each for each in objects(answers()) if str(each.get("_id", "")).removeprefix("proteins/") in PROTEINS]
    compared = set()
    for each in told:
        protein = PROTEINS[each["_id"].removeprefix("proteins/")]
        same = ("name", "uniprot_names")
        if "uniprot_ids" in each:
            same += ("uniprot_ids", "uniprot_full_names", "MANE_Select")
            assert [ref for ref in protein["dbxrefs"] or () if ref not in each["dbxrefs"]] == []
        assert [protein[name] for name in same] == [each[name] for name in same]
        compared.add(protein["_id"])
    older = {each["_id"]: each for each in objects(answers()) if "full_name" in each and "_id" in each}
    for protein in ROWS["proteins"]:
        row = older.get(protein["uniprot_ids"][0] if protein["uniprot_ids"] else "")
        if row:
            assert [row["name"]] == protein["uniprot_names"]
            assert [row["full_name"]] == protein["uniprot_full_names"]
            compared.add(protein["_id"])

    assert compared >= {
        *("ENSP00000384707", "ENSP00000242057", "ENSP00000262053", "ENSP00000236995", "ENSP00000264110"),
        *("ENSP00000478114", "ENSP00000498906", "ENSP00000215057", "ENSP00000345702", "ENSP00000240055"),
    }


@needs_recordings
def test_variants_are_recorded_ones():
    compared = set()
    for each in objects(answers()):
        variant = VARIANTS.get(each.get("spdi") or "")
        if variant and "rsid" in each:
            if (
                len(variant["ref"]) == len(variant["alt"]) == 1
            ):  # of others older answers have a VCF's place and alleles
                assert [each[name] for name in ("pos", "ref", "alt")] == [
                    variant[name] for name in ("pos", "ref", "alt")
                ]
            assert (each["rsid"] or None) == variant["rsid"]
            assert each["hgvs"] == variant["hgvs"]
            assert each.get("ca_id") in {variant["ca_id"], None}
            compared.add(variant["spdi"])

    assert len(compared) >= 18


@needs_recordings
def test_mouse_variants_have_recorded_strains():
    lines = recording("bulk/igvfsample_mouse_variants__mouse_variant_indel_rsid_sample.vcf").decode().splitlines()
    names = next(line for line in lines if line.startswith("#CHROM")).split("\t")
    told = {}
    for line in lines:
        if not line.startswith("#"):
            cells = dict(zip(names, line.split("\t"), strict=True))
            spdi = f"NC_000067.7:{int(cells['POS']) - 1}:{cells['REF']}:{cells['ALT']}"
            told[spdi] = {name for name in names[9:] if "1" in cells[name].partition(":")[0]}
    compared = [variant for variant in ROWS["variants"] if variant["spdi"] in told]

    assert len(compared) == 4
    assert all(set(variant["strain"]) <= told[variant["spdi"]] for variant in compared)


@needs_recordings
def test_entities_of_other_kinds_are_recorded_ones():
    terms = {each["term_id"]: each for each in objects(answers()) if "term_id" in each and "uri" in each}
    wholes = {each["_id"]: each for each in objects(answers()) if "molecules" in each}
    for line in table("igvfsample_EBI_complex_example.tsv"):
        wholes.setdefault(
            line["#Complex ac"],
            {
                "name": line["Recommended name"],
                "alias": [each for each in line["Aliases for complex"].split("|") if each != "-"],
                "molecules": line["Identifiers (and stoichiometry) of molecules in complex"].split("|"),
            },
        )
    known = [term for term in ROWS["ontology_terms"] if term["term_id"] in terms]

    assert len(known) >= 5
    for term in known:
        assert [term[name] for name in ("name", "source")] == [
            terms[term["term_id"]][name] for name in ("name", "source")
        ]
    assert {whole["_id"] for whole in ROWS["complexes"]} <= wholes.keys()
    for whole in ROWS["complexes"]:
        told = wholes[whole["_id"]]
        assert (whole["name"], whole["alias"], whole["molecules"]) == (
            told["name"],
            told.get("alias") or None,
            told["molecules"],
        )


@needs_recordings
def test_drugs_studies_pathways_motifs_and_data_sets_are_recorded_ones():
    drug, pathway, data = sample("drugs"), sample("pathways"), sample("filesFilesets")
    (study,) = accepted("studies")
    motifs = {each["name"]: each for each in objects(answers()) if "pwm" in each}
    compared = [motif for motif in ROWS["motifs"] if motif["name"] in motifs]
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

    for collection, (told, same) in pairs.items():
        (ours,) = (each for each in ROWS[collection] if each["_id"] == told["_id"])
        assert [ours[name] for name in same.split()] == [told[name] for name in same.split()]
    assert len(compared) == 3
    for motif in compared:
        told = motifs[motif["name"]]
        assert (motif["tf_name"], motif["length"], motif["source"]) == (
            told["tf_name"],
            len(told["pwm"]),
            told["source"],
        )
