"""The rows of the starter's edges are as the recordings have them, wherever these know the same."""

import csv
from typing import Any

import pytest

from tests.recordings import needs_recordings, recording
from tests.sources.igvf.catalog_rows import Made, starter, starter_edges
from tests.sources.igvf.recorded import accepted, sample, table

pytestmark = pytest.mark.quick

ROWS, EDGES = starter(), starter_edges()
VARIANTS = {variant["_id"]: variant for variant in ROWS["variants"]}


def row_of(edge: str, subject: str, target: str, **fields: Any) -> Made:
    """The one row of an edge with these ends and fields."""
    (row,) = (
        each
        for each in EDGES
        if (each.collection, each.subject, each.object) == (edge, subject, target)
        and fields.items() <= each.fields.items()
    )
    return row


def differences(ours: Made, recorded: Any) -> dict[str, tuple[Any, Any]]:
    """Where a row and a recorded one say something else of the same."""
    same = ours.values.keys() & recorded.keys()
    assert len(same) > 2
    return {name: (ours.fields[name], recorded[name]) for name in same if ours.fields[name] != recorded[name]}


def key_of(reference: str) -> str:
    return reference.partition("/")[2]


@needs_recordings
def test_assertions_of_clingen_are_recorded_ones():
    told = {
        line["Allele Registry Id"]: line for line in table("igvfsample_clinGen_variant_pathogenicity_example.csv", ",")
    }
    compared = 0
    for row in EDGES:
        line = told.get(VARIANTS[row.subject]["ca_id"]) if row.collection == "variant_disease" else None
        if line:
            articles = {f"http://pubmed.ncbi.nlm.nih.gov/{each}" for each in line["PubMed Articles"].split(", ")}
            assert int(row.subject.split(":")[1]) + 1 == int(float(line["start"]))
            assert row.fields["assertion"] == line["Assertion"]
            assert row.fields["gene_id"] == f"genes/{line['Gene ID']}"
            assert row.object == line["Mondo Id"].replace(":", "_")
            assert set(row.fields["pmids"]) <= articles
            compared += 1
    listed = sample("variantsFromDiseases")
    ours = row_of("variant_disease", key_of(listed["sequence_variant"]), key_of(listed["disease"]))

    assert compared >= 7
    assert differences(ours, listed) == {}


@needs_recordings
@pytest.mark.parametrize("operation", ["genomicElementsFromVariants", "variantsFromGenomicElements"])
def test_accessibility_qtls_are_recorded_ones(operation):
    told = sample(operation)

    ours = row_of("variant_element", told["variant"]["_id"], told["genomic_element"]["_id"])

    assert differences(ours, told) == {}
    assert any(
        all(each[name] == told["genomic_element"][name] for name in ("_id", "start", "end", "type", "source"))
        for each in ROWS["genomic_elements"]
    )


@needs_recordings
def test_expression_qtls_are_recorded_ones():
    summary = sample("qtlSummaryEndpoint")
    (pair,) = (each for each in sample("genesProteinsFromVariants")["related"] if "gene" in each)
    ours = row_of("variant_gene", "NC_000001.11:40242002:G:A", summary["gene"]["gene_id"])
    other = row_of("variant_gene", "NC_000001.11:630556:T:C", key_of(pair["gene"]["_id"]))

    assert (ours.fields["label"], ours.fields["neg_log10_pvalue"], ours.fields["effect_size"]) == tuple(
        summary[name] for name in ("qtl_type", "neg_log10_pvalue", "effect_size")
    )
    assert ours.fields["biological_context"] == summary["biological_context"]
    assert differences(other, pair["sources"][0]) == {}


@needs_recordings
def test_genes_of_orphanet_are_recorded_ones():
    told = {(key_of(each["gene"]), key_of(each["ontology term"])): each for each in accepted("diseases_genes")[:19]}
    ours = [row for row in EDGES if row.collection == "gene_disease" and row.object == "Orphanet_586"]

    assert len(ours) >= 5
    for row in ours:
        recorded = told[row.subject, row.object]
        assert row.fields["pmids"] == recorded["pmid"]
        for name in ("term_name", "association_type", "association_status", "source"):
            assert row.fields[name] == recorded[name]


@needs_recordings
def test_linkage_is_as_recorded():
    told = sample("variantsFromVariantID")

    ours = row_of("variant_variant", told["variant_1_spdi"], told["variant_2_spdi"])

    assert differences(ours, told) == {}


@needs_recordings
def test_response_to_aspirin_is_as_recorded():
    told = accepted("variants_drugs")[0]

    ours = row_of("variant_drug", "NC_000001.11:230714139:T:G", key_of(told["drug"]))

    assert differences(ours, told) == {}


@needs_recordings
@pytest.mark.parametrize("operation", ["goTermsFromAnnotations", "annotationsFromGoTerms"])
def test_functions_are_recorded_ones(operation):
    told = sample(operation)
    ours = row_of("product_function", key_of(told["gene_product_id"]), told["go_id"].replace(":", "_"))
    (term,) = (each for each in ROWS["ontology_terms"] if each["term_id"] == ours.object)

    assert differences(ours, told) == {}
    assert term["name"] == told["go_term_name"]


@needs_recordings
@pytest.mark.parametrize("operation", ["codingVariants", "codingVariantsFromVariants"])
def test_changes_of_proteins_are_recorded_ones(operation):
    told = sample(operation)
    (ours,) = (each for each in ROWS["coding_variants"] if each["_id"] == told["_id"])
    same = ["name", "gene_name", "protein_id", "protein_name", "transcript_id", "hgvsp", "hgvsc", "aapos", "ref", "alt"]

    assert [ours[name] for name in same] == [told[name] for name in same]
    assert [name for name in ours if name.endswith("_score") and ours[name] is not None] == []


@needs_recordings
def test_scores_of_changes_are_recorded_ones():
    told, other = sample("codingVariantsFromGenes"), sample("deprecatedCodingVariantsSummary")
    (change,) = (each for each in ROWS["coding_variants"] if each["gene_name"] == "ACSF3")
    reference = f"coding_variants/{change['_id']}"
    ours = [row for row in EDGES if row.fields.get("coding_variant") == reference]
    scores = [{name: row.fields[name] for name in ("method", "score", "source_url", "files_filesets")} for row in ours]
    desmoglein = row_of("gene_coding_variant", key_of(other["variant_id"]), "ENSG00000046604", method=other["dataType"])

    same = ("hgvsp", "aapos", "ref", "alt")
    assert [change[name] for name in same] == [told["protein_change"][name] for name in same]
    assert {row.collection for row in ours} == {"gene_coding_variant"}
    assert {row.subject for row in ours} == {told["variants"][0]["variant"]["_id"]}
    assert scores == told["variants"][0]["scores"]
    assert desmoglein.fields["score"] == other["score"]


@needs_recordings
def test_activity_of_elements_is_as_recorded():
    near = accepted("regulatory_regions_biosamples")
    told = {("MPRA_chr10_100038743_100038963_GRCh38", row["ontology term"]): row for row in near[:3]}
    for row in accepted("biosamples_regulatory_regions")[:25]:
        told[key_of(row["regulatory region"]), "ontology_terms/EFO_0001187"] = row
    ours = [row for row in EDGES if row.collection == "element_biosample"]

    assert len(ours) >= 5
    for row in ours:
        recorded = told[row.subject, f"ontology_terms/{row.object}"]
        assert row.fields["log2FC"] == recorded["activity_score"]
        assert key_of(row.fields["files_filesets"]) in recorded["source_url"]


@needs_recordings
def test_elements_are_recorded_ones():
    told = {each["name"]: each for each in accepted("regulatory_regions")}
    ours = [element for element in ROWS["genomic_elements"] if element["name"] in told]

    assert {element["organism"] for element in ours} == {"Homo sapiens", "Mus musculus"}
    assert len(ours) == len(told)
    for element in ours:
        recorded = told[element["name"]]
        assert [element[name] for name in ("chr", "start", "end")] == [
            recorded[name] for name in ("chr", "start", "end")
        ]
        code, _, words = element["source_annotation"].partition(": ")
        assert (code, words) == (recorded["biochemical_activity"], recorded["biochemical_activity_description"])


@needs_recordings
@pytest.mark.parametrize(("kind", "term"), [("growth", "GO_0008283"), ("migration", "GO_0016477")])
def test_screens_of_elements_are_recorded_ones(kind, term):
    compared = 0
    for line in table(f"igvfsample_crispr_element_phenotype_{kind}.example.tsv"):
        place = line["dhs_coords"].partition("_")[0].replace(":", "_").replace("-", "_")
        for row in EDGES:
            if (row.collection, row.subject, row.object) == ("element_phenotype", f"CRISPR_{place}_GRCh38", term):
                assert row.fields["z_score"] == float(line[f"avg_{kind}_pZ"])
                assert row.fields["p_value"] == float(
                    next(value for name, value in line.items() if name.endswith("_pval"))
                )
                assert row.fields["num_guides"] == int(line["dhs_count"])
                compared += 1

    assert compared == {"growth": 2, "migration": 1}[kind]


@needs_recordings
def test_effects_of_edited_variants_are_recorded_ones():
    (edited,) = (
        line
        for line in table("igvfsample_crispr_v2g.example.tsv")
        if line["variant"] == "NC_000010.11:79347443:A:ATGTTGCAACA"
    )
    ours = row_of("variant_gene", edited["variant"], edited["gene"])
    prime = table("igvfsample_crispr_variant_phenotype_sherwood_prime.example.csv", ",")

    assert (ours.fields["log2FC"], ours.fields["effect_size"], ours.fields["neg_log10_pvalue"]) == (
        float(edited["log2_fold_change"]),
        float(edited["effect_size"]),
        float(edited["p_nominal_nlog10"]),
    )
    assert ours.fields["neg_log10_pvalue_adj"] == float(edited["fdr_nlog10"])
    assert ours.fields["power"] == float(edited["power"])
    for line in prime:
        row = row_of("variant_phenotype", line["variant_id"], "EFO_0004611")
        span = [row.fields["effect_size_ci95_lower"], row.fields["effect_size_ci95_upper"]]
        assert (row.fields["effect_size"], row.fields["z_score"]) == (float(line["mu"]), float(line["mu_z"]))
        assert span == [float(line["CI[0.025"]), float(line["0.975]"])]  # the head has a comma within a name


@needs_recordings
def test_levels_of_proteins_are_as_recorded():
    line = table("igvfsample_pQTL_UKB_example.csv", ",")[0]
    (variant,) = (each for each in ROWS["variants"] if line["rsID"] in (each["rsid"] or ()))
    ours = row_of("variant_protein", variant["spdi"], "ENSP00000263100")

    assert variant["spdi"].split(":")[1] == str(int(line["GENPOS (hg38)"]) - 1)
    assert (ours.fields["beta"], ours.fields["se"], ours.fields["neg_log10_pvalue"]) == (
        float(line["BETA (discovery, wrt. A1)"]),
        float(line["SE (discovery)"]),
        float(line["log10(p) (discovery)"]),
    )
    assert ours.fields["gene"] == f"genes/{line['Ensembl gene ID']}"
    assert (ours.fields["regulatory_type"], ours.fields["gene_consequence"]) == (
        line["cis/trans"],
        line["Annotated gene consequence"],
    )


@needs_recordings
def test_pathways_of_genes_are_recorded_ones():
    lines = recording("bulk/igvfsample_reactome__Ensembl2Reactome_All_Levels_sample.txt").decode().splitlines()
    told = {(cells[0], cells[1]): cells[3] for cells in csv.reader(lines, delimiter="\t")}
    names = {pathway["_id"]: pathway["name"] for pathway in ROWS["pathways"]}
    ours = [row for row in EDGES if row.collection == "gene_pathway" and row.subject == "ENSG00000000419"]

    assert len(ours) == 3
    assert all(told[row.subject, row.object] == names[row.object] for row in ours)


@needs_recordings
def test_motifs_of_proteins_are_recorded_ones():
    told = [(sample("motifsFromProteins"), "ENSP00000242057"), (accepted("proteins_motifs")[0], "ENSP00000262053")]
    binding = sample("variantsFromGeneProteins")
    (pair,) = binding["related"]
    ours = row_of("variant_protein", binding["sequence_variant"]["_id"], key_of(pair["protein"]["_id"]))

    for each, protein in told:
        motif = each["motif"]["name"] if isinstance(each["motif"], dict) else key_of(each["motif"])
        assert row_of("protein_motif", protein, motif).fields["source"] == each["source"]
    for name in ("motif", "source", "files_filesets"):
        assert ours.fields[name] == pair["sources"][0][name]


@needs_recordings
def test_a_submission_to_gencc_is_a_recorded_one():
    line = table("igvfsample_gencc_submissions.example.tsv")[0]
    (gene,) = (each for each in ROWS["genes"] if each["hgnc"] == line["gene_curie"])
    ours = row_of("gene_disease", gene["_id"], line["disease_curie"].replace(":", "_"))

    assert gene["name"] == line["gene_symbol"]
    assert (ours.fields["classification"], ours.fields["moi_name"], ours.fields["submitter"]) == tuple(
        line[name] for name in ("classification_title", "moi_title", "submitter_title")
    )
    assert ours.fields["moi_id"] == f"ontology_terms/{line['moi_curie'].replace(':', '_')}"
    assert ours.fields["term_name"] == line["disease_title"]
