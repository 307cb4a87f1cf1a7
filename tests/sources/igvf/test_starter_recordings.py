"""The starter facts are as the recordings have them, wherever these know the same."""

import json
import re

from biofact.sandbox.dialects.gene_info import FILES, gene_row
from biofact.sandbox.services.igvf.starters import starter_facts
from tests.recordings import needs_recordings, recording
from tests.sources.igvf.recorded import accepted, answers, objects, sample, table

FACTS = starter_facts()
GENES = {gene.id: gene for gene in FACTS.genes}
VARIANTS = {variant.spdi: variant for variant in FACTS.variants}
PROTEINS = {protein.id: protein for protein in FACTS.proteins}
TRANSCRIPTS = {transcript.id: transcript for transcript in FACTS.transcripts}
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
        if not line.startswith("#")
    ]
    told = {row.first_id("Ensembl"): row for row in rows if row.first_id("Ensembl")}

    assert GENES.keys() - told.keys() == UNPLACED
    for gene in FACTS.genes:
        row = told.get(gene.id)
        if row:
            assert row.official_symbol == RENAMED.get(gene.symbol, gene.symbol)
            assert (row.first_id("HGNC"), row.gene_id) == (gene.hgnc, gene.entrez)
            assert set(row.chromosomes) == {gene.chromosome}
            assert set(row.synonyms) == set(gene.synonyms) - set(RENAMED.values())
            assert (row.gene_type == "protein-coding") == (gene.type == "protein_coding")


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
        place = (each["chr"], each.get("start", each.get("start:long")) + 1, each.get("end", each.get("end:long")))
        assert place == (f"chr{gene.chromosome}", gene.start, gene.end)
        assert (each["name"], each["gene_type"], each["hgnc"]) == (gene.symbol, gene.type, gene.hgnc)
        assert each.get("strand", gene.strand) == gene.strand
        assert (each.get("entrez") or gene.entrez).removeprefix("ENTREZ:") == gene.entrez


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
    places = {gene.symbol: (gene.chromosome, gene.start, gene.end) for gene in FACTS.genes}

    assert compared.keys() >= {"LDLR", "UBR5", "MT-CO1"}
    assert {(name, place[2]) for name, place in compared.items() if places[name] != place} == OTHER_RELEASE
    assert places["BRCA2"] == (brca2["seq_region_name"], brca2["start"], brca2["end"])


@needs_recordings
def test_mouse_genes_and_transcripts_are_as_gencode_has_them():
    made = {(row.subject, row.object) for row in FACTS.edges if row.edge == "transcript_protein"}
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
            assert (f"chr{ours.chromosome}", ours.start, ours.end, ours.strand) == (
                chromosome,
                int(start),
                int(end),
                strand,
            )
            assert ours.type == told[f"{feature}_type"]
            assert told[f"{feature}_name"] == (ours.symbol if feature == "gene" else ours.name)
            compared.add(ours.id)
        protein = told.get("protein_id", "").partition(".")[0]
        if protein in PROTEINS:
            assert (told["transcript_id"].partition(".")[0], protein) in made
            compared.add(protein)

    assert compared >= {"ENSMUSG00000051951", "ENSMUST00000070533", "ENSMUSP00000070648", "ENSMUST00000208660"}


@needs_recordings
def test_transcripts_of_ctcf_are_recorded_ones():
    pairs = (each["transcript"] for each in accepted("proteins_transcripts"))
    told = {transcript["_id"]: transcript for transcript in pairs if isinstance(transcript, dict)}
    ours = [transcript for transcript in FACTS.transcripts if transcript.gene == "ENSG00000102974"]

    assert {transcript.id for transcript in ours} == told.keys()
    for transcript in ours:
        row = told[transcript.id]
        assert (row["start"] + 1, row["end"], row["name"]) == (transcript.start, transcript.end, transcript.name)
        assert (row["transcript_type"], row["chr"]) == (transcript.type, f"chr{transcript.chromosome}")


@needs_recordings
def test_proteins_are_recorded_ones():
    told = [each for each in objects(answers()) if str(each.get("_id", "")).removeprefix("proteins/") in PROTEINS]
    compared = set()
    for each in told:
        protein = PROTEINS[each["_id"].removeprefix("proteins/")]
        assert each["name"] == protein.name
        assert tuple(each["uniprot_names"]) == protein.uniprot_names
        if "uniprot_ids" in each:
            assert tuple(each["uniprot_ids"]) == protein.uniprot_ids
            assert tuple(each["uniprot_full_names"]) == protein.uniprot_full_names
            assert each["MANE_Select"] == protein.is_mane_select
            assert set(protein.xrefs) <= {(ref["name"], ref["id"]) for ref in each["dbxrefs"]}
        compared.add(protein.id)
    older = {each["_id"]: each for each in objects(answers()) if "full_name" in each and "_id" in each}
    for protein in FACTS.proteins:
        row = older.get(protein.uniprot_ids[0] if protein.uniprot_ids else "")
        if row:
            assert (row["name"],) == protein.uniprot_names
            assert (row["full_name"],) == protein.uniprot_full_names
            compared.add(protein.id)

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
            _, position, ref, alt = variant.spdi.split(":")
            if len(ref) == len(alt) == 1:  # of others the older answers have a VCF's place and alleles
                assert (each["pos"], each["ref"], each["alt"]) == (int(position), ref, alt)
            assert tuple(each["rsid"] or ()) == variant.rsids
            assert each["hgvs"] == variant.hgvs
            assert each.get("ca_id") in {variant.ca_id, None}
            compared.add(variant.spdi)

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
    compared = [variant for variant in FACTS.variants if variant.spdi in told]

    assert len(compared) == 4
    assert all(set(variant.strains) <= told[variant.spdi] for variant in compared)


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
    known = [term for term in FACTS.terms if term.id in terms]

    assert len(known) >= 5
    for term in known:
        assert (term.name, term.source) == (terms[term.id]["name"], terms[term.id]["source"])
    assert {whole.id for whole in FACTS.complexes} <= wholes.keys()
    for whole in FACTS.complexes:
        told = wholes[whole.id]
        assert (whole.name, list(whole.aliases), list(whole.molecules)) == (
            told["name"],
            told.get("alias") or [],
            told["molecules"],
        )


@needs_recordings
def test_drugs_studies_pathways_motifs_and_data_sets_are_recorded_ones():
    drug, pathway, data = sample("drugs"), sample("pathways"), sample("filesFilesets")
    (study,) = accepted("studies")
    motifs = {each["name"]: each for each in objects(answers()) if "pwm" in each}
    (aspirin,) = (each for each in FACTS.drugs if each.id == drug["_id"])
    (ours,) = (each for each in FACTS.studies if each.id == study["_id"])
    (circle,) = (each for each in FACTS.pathways if each.id == pathway["_id"])
    (lung,) = (each for each in FACTS.datasets if each.id == data["_id"])
    compared = [motif for motif in FACTS.motifs if motif.id in motifs]

    assert (aspirin.name, list(aspirin.terms)) == (drug["name"], drug["drug_ontology_terms"])
    assert (ours.pmid, ours.author, ours.date, ours.journal, ours.title, ours.trait) == tuple(
        study[name] for name in ("pmid", "pub_author", "pub_date", "pub_journal", "pub_title", "trait_reported")
    )
    assert (str(ours.sample_size), f"{ours.cases}.0", str(list(ours.terms))) == (
        study["n_initial"],
        study["n_cases"],
        study["trait_efos"],
    )
    assert f"{circle.id}.{circle.version}" == pathway["id_version"]
    assert (circle.name, list(circle.aliases), circle.is_in_disease, circle.is_top_level) == tuple(
        pathway[name] for name in ("name", "name_aliases", "is_in_disease", "is_top_level_pathway")
    )
    assert [f"ontology_terms/{term}" for term in circle.disease_terms] == pathway["disease_ontology_terms"]
    assert (lung.file_set, lung.lab, lung.method, lung.kind, lung.source) == tuple(
        data[name] for name in ("file_set_id", "lab", "method", "class", "source")
    )
    assert (list(lung.samples), list(lung.collections)) == (data["simple_sample_summaries"], data["collections"])
    assert len(compared) == 3
    for motif in compared:
        told = motifs[motif.id]
        assert (motif.tf_name, motif.length, motif.source) == (told["tf_name"], len(told["pwm"]), told["source"])
