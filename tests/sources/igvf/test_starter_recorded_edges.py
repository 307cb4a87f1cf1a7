"""The rows of the starter's edges equal those of the recordings, if these have the same facts."""

import csv
from typing import Any

import pytest

from tests.recordings import needs_recordings, recording
from tests.sources.igvf.catalog_rows import CatalogPart, starter, starter_edges
from tests.sources.igvf.recorded import accepted, sample, table

pytestmark = pytest.mark.quick

ROWS, EDGES = starter(), starter_edges()
VARIANTS = {variant["_id"]: variant for variant in ROWS["variants"]}


def row_of(edge: str, subject: str, target: str, **fields: Any) -> CatalogPart:
    """The only row of an edge with these ends and fields."""
    (row,) = (
        item
        for item in EDGES
        if (item.collection, item.subject, item.object) == (edge, subject, target)
        and fields.items() <= item.fields.items()
    )
    return row


def differences(own_values: CatalogPart, recordings: Any) -> dict[str, tuple[Any, Any]]:
    """The values in which a row and a recorded one differ, by field."""
    values = own_values.values.keys() & recordings.keys()
    assert len(values) > 2
    return {
        name: (own_values.fields[name], recordings[name])
        for name in values
        if own_values.fields[name] != recordings[name]
    }


def key_of(reference: str) -> str:
    return reference.partition("/")[2]


@needs_recordings
def test_assertions_of_clingen_are_recorded_ones():
    message = {
        line["Allele Registry Id"]: line for line in table("igvfsample_clinGen_variant_pathogenicity_example.csv", ",")
    }
    pairs = 0
    for row in EDGES:
        line = message.get(VARIANTS[row.subject]["ca_id"]) if row.collection == "variant_disease" else None
        if line:
            articles = {f"http://pubmed.ncbi.nlm.nih.gov/{item}" for item in line["PubMed Articles"].split(", ")}
            assert int(row.subject.split(":")[1]) + 1 == int(float(line["start"]))
            assert row.fields["assertion"] == line["Assertion"]
            assert row.fields["gene_id"] == f"genes/{line['Gene ID']}"
            assert row.object == line["Mondo Id"].replace(":", "_")
            assert set(row.fields["pmids"]) <= articles
            pairs += 1
    listed_values = sample("variantsFromDiseases")
    own_values = row_of("variant_disease", key_of(listed_values["sequence_variant"]), key_of(listed_values["disease"]))

    assert pairs >= 7
    assert differences(own_values, listed_values) == {}


@needs_recordings
@pytest.mark.parametrize("operation", ["genomicElementsFromVariants", "variantsFromGenomicElements"])
def test_accessibility_qtls_are_recorded_ones(operation):
    message = sample(operation)

    own_values = row_of("variant_element", message["variant"]["_id"], message["genomic_element"]["_id"])

    assert differences(own_values, message) == {}
    assert any(
        all(
            genomic_element[name] == message["genomic_element"][name]
            for name in ("_id", "start", "end", "type", "source")
        )
        for genomic_element in ROWS["genomic_elements"]
    )


@needs_recordings
def test_expression_qtls_are_recorded_ones():
    summary = sample("qtlSummaryEndpoint")
    (pair,) = (item for item in sample("genesProteinsFromVariants")["related"] if "gene" in item)
    own_values = row_of("variant_gene", "NC_000001.11:40242002:G:A", summary["gene"]["gene_id"])
    other = row_of("variant_gene", "NC_000001.11:630556:T:C", key_of(pair["gene"]["_id"]))

    assert (
        own_values.fields["label"],
        own_values.fields["neg_log10_pvalue"],
        own_values.fields["effect_size"],
    ) == tuple(summary[name] for name in ("qtl_type", "neg_log10_pvalue", "effect_size"))
    assert own_values.fields["biological_context"] == summary["biological_context"]
    assert differences(other, pair["sources"][0]) == {}


@needs_recordings
def test_genes_of_orphanet_are_recorded_ones():
    message = {(key_of(item["gene"]), key_of(item["ontology term"])): item for item in accepted("diseases_genes")[:19]}
    own_values = [row for row in EDGES if row.collection == "gene_disease" and row.object == "Orphanet_586"]

    assert len(own_values) >= 5
    for row in own_values:
        recordings = message[row.subject, row.object]
        assert row.fields["pmids"] == recordings["pmid"]
        for name in ("term_name", "association_type", "association_status", "source"):
            assert row.fields[name] == recordings[name]


@needs_recordings
def test_linkage_is_as_recorded():
    message = sample("variantsFromVariantID")

    own_values = row_of("variant_variant", message["variant_1_spdi"], message["variant_2_spdi"])

    assert differences(own_values, message) == {}


@needs_recordings
def test_response_to_aspirin_is_as_recorded():
    message = accepted("variants_drugs")[0]

    own_values = row_of("variant_drug", "NC_000001.11:230714139:T:G", key_of(message["drug"]))

    assert differences(own_values, message) == {}


@needs_recordings
@pytest.mark.parametrize("operation", ["goTermsFromAnnotations", "annotationsFromGoTerms"])
def test_functions_are_recorded_ones(operation):
    message = sample(operation)
    own_values = row_of("product_function", key_of(message["gene_product_id"]), message["go_id"].replace(":", "_"))
    (term,) = (
        ontology_term for ontology_term in ROWS["ontology_terms"] if ontology_term["term_id"] == own_values.object
    )

    assert differences(own_values, message) == {}
    assert term["name"] == message["go_term_name"]


@needs_recordings
@pytest.mark.parametrize("operation", ["codingVariants", "codingVariantsFromVariants"])
def test_changes_of_proteins_are_recorded_ones(operation):
    message = sample(operation)
    (own_values,) = (
        coding_variant for coding_variant in ROWS["coding_variants"] if coding_variant["_id"] == message["_id"]
    )
    repeat = [
        "name",
        "gene_name",
        "protein_id",
        "protein_name",
        "transcript_id",
        "hgvsp",
        "hgvsc",
        "aapos",
        "ref",
        "alt",
    ]

    assert [own_values[name] for name in repeat] == [message[name] for name in repeat]
    assert [name for name in own_values if name.endswith("_score") and own_values[name] is not None] == []


@needs_recordings
def test_scores_of_changes_are_recorded_ones():
    message, other = sample("codingVariantsFromGenes"), sample("deprecatedCodingVariantsSummary")
    (change,) = (coding_variant for coding_variant in ROWS["coding_variants"] if coding_variant["gene_name"] == "ACSF3")
    reference = f"coding_variants/{change['_id']}"
    own_values = [row for row in EDGES if row.fields.get("coding_variant") == reference]
    scores = [
        {name: row.fields[name] for name in ("method", "score", "source_url", "files_filesets")} for row in own_values
    ]
    desmoglein = row_of("gene_coding_variant", key_of(other["variant_id"]), "ENSG00000046604", method=other["dataType"])

    repeat = ("hgvsp", "aapos", "ref", "alt")
    assert [change[name] for name in repeat] == [message["protein_change"][name] for name in repeat]
    assert {row.collection for row in own_values} == {"gene_coding_variant"}
    assert {row.subject for row in own_values} == {message["variants"][0]["variant"]["_id"]}
    assert scores == message["variants"][0]["scores"]
    assert desmoglein.fields["score"] == other["score"]


@needs_recordings
def test_activity_of_elements_is_as_recorded():
    words = accepted("regulatory_regions_biosamples")
    message = {("MPRA_chr10_100038743_100038963_GRCh38", row["ontology term"]): row for row in words[:3]}
    for row in accepted("biosamples_regulatory_regions")[:25]:
        message[key_of(row["regulatory region"]), "ontology_terms/EFO_0001187"] = row
    own_values = [row for row in EDGES if row.collection == "element_biosample"]

    assert len(own_values) >= 5
    for row in own_values:
        recordings = message[row.subject, f"ontology_terms/{row.object}"]
        assert row.fields["log2FC"] == recordings["activity_score"]
        assert key_of(row.fields["files_filesets"]) in recordings["source_url"]


@needs_recordings
def test_elements_are_recorded_ones():
    message = {item["name"]: item for item in accepted("regulatory_regions")}
    genomic_elements = [element for element in ROWS["genomic_elements"] if element["name"] in message]

    assert {element["organism"] for element in genomic_elements} == {"Homo sapiens", "Mus musculus"}
    assert len(genomic_elements) == len(message)
    for element in genomic_elements:
        recordings = message[element["name"]]
        assert [element[name] for name in ("chr", "start", "end")] == [
            recordings[name] for name in ("chr", "start", "end")
        ]
        code, _, words = element["source_annotation"].partition(": ")
        assert (code, words) == (recordings["biochemical_activity"], recordings["biochemical_activity_description"])


@needs_recordings
@pytest.mark.parametrize(("kind", "term"), [("growth", "GO_0008283"), ("migration", "GO_0016477")])
def test_screens_of_elements_are_recorded_ones(kind, term):
    pairs = 0
    for line in table(f"igvfsample_crispr_element_phenotype_{kind}.example.tsv"):
        place = line["dhs_coords"].partition("_")[0].replace(":", "_").replace("-", "_")
        for row in EDGES:
            if (row.collection, row.subject, row.object) == ("element_phenotype", f"CRISPR_{place}_GRCh38", term):
                assert row.fields["z_score"] == float(line[f"avg_{kind}_pZ"])
                assert row.fields["p_value"] == float(
                    next(value for name, value in line.items() if name.endswith("_pval"))
                )
                assert row.fields["num_guides"] == int(line["dhs_count"])
                pairs += 1

    assert pairs == {"growth": 2, "migration": 1}[kind]


@needs_recordings
def test_effects_of_edited_variants_are_recorded_ones():
    (edited_effect,) = (
        line
        for line in table("igvfsample_crispr_v2g.example.tsv")
        if line["variant"] == "NC_000010.11:79347443:A:ATGTTGCAACA"
    )
    own_values = row_of("variant_gene", edited_effect["variant"], edited_effect["gene"])
    prime = table("igvfsample_crispr_variant_phenotype_sherwood_prime.example.csv", ",")

    assert (own_values.fields["log2FC"], own_values.fields["effect_size"], own_values.fields["neg_log10_pvalue"]) == (
        float(edited_effect["log2_fold_change"]),
        float(edited_effect["effect_size"]),
        float(edited_effect["p_nominal_nlog10"]),
    )
    assert own_values.fields["neg_log10_pvalue_adj"] == float(edited_effect["fdr_nlog10"])
    assert own_values.fields["power"] == float(edited_effect["power"])
    for line in prime:
        row = row_of("variant_phenotype", line["variant_id"], "EFO_0004611")
        span = [row.fields["effect_size_ci95_lower"], row.fields["effect_size_ci95_upper"]]
        assert (row.fields["effect_size"], row.fields["z_score"]) == (float(line["mu"]), float(line["mu_z"]))
        assert span == [float(line["CI[0.025"]), float(line["0.975]"])]  # the head has a comma within a name


@needs_recordings
def test_levels_of_proteins_are_as_recorded():
    line = table("igvfsample_pQTL_UKB_example.csv", ",")[0]
    (variant,) = (variant for variant in ROWS["variants"] if line["rsID"] in (variant["rsid"] or ()))
    own_values = row_of("variant_protein", variant["spdi"], "ENSP00000263100")

    assert variant["spdi"].split(":")[1] == str(int(line["GENPOS (hg38)"]) - 1)
    assert (own_values.fields["beta"], own_values.fields["se"], own_values.fields["neg_log10_pvalue"]) == (
        float(line["BETA (discovery, wrt. A1)"]),
        float(line["SE (discovery)"]),
        float(line["log10(p) (discovery)"]),
    )
    assert own_values.fields["gene"] == f"genes/{line['Ensembl gene ID']}"
    assert (own_values.fields["regulatory_type"], own_values.fields["gene_consequence"]) == (
        line["cis/trans"],
        line["Annotated gene consequence"],
    )


@needs_recordings
def test_pathways_of_genes_are_recorded_ones():
    lines = recording("bulk/igvfsample_reactome__Ensembl2Reactome_All_Levels_sample.txt").decode().splitlines()
    cells = {(cells[0], cells[1]): cells[3] for cells in csv.reader(lines, delimiter="\t")}
    names = {pathway["_id"]: pathway["name"] for pathway in ROWS["pathways"]}
    own_values = [row for row in EDGES if row.collection == "gene_pathway" and row.subject == "ENSG00000000419"]

    assert len(own_values) == 3
    assert all(cells[row.subject, row.object] == names[row.object] for row in own_values)


@needs_recordings
def test_motifs_of_proteins_are_recorded_ones():
    samples = [(sample("motifsFromProteins"), "ENSP00000242057"), (accepted("proteins_motifs")[0], "ENSP00000262053")]
    binding = sample("variantsFromGeneProteins")
    (pair,) = binding["related"]
    own_values = row_of("variant_protein", binding["sequence_variant"]["_id"], key_of(pair["protein"]["_id"]))

    for item, protein in samples:
        motif = item["motif"]["name"] if isinstance(item["motif"], dict) else key_of(item["motif"])
        assert row_of("protein_motif", protein, motif).fields["source"] == item["source"]
    for name in ("motif", "source", "files_filesets"):
        assert own_values.fields[name] == pair["sources"][0][name]


@needs_recordings
def test_a_submission_to_gencc_is_a_recorded_one():
    line = table("igvfsample_gencc_submissions.example.tsv")[0]
    (gene,) = (gene for gene in ROWS["genes"] if gene["hgnc"] == line["gene_curie"])
    own_values = row_of("gene_disease", gene["_id"], line["disease_curie"].replace(":", "_"))

    assert gene["name"] == line["gene_symbol"]
    assert (
        own_values.fields["classification"],
        own_values.fields["moi_name"],
        own_values.fields["submitter"],
    ) == tuple(line[name] for name in ("classification_title", "moi_title", "submitter_title"))
    assert own_values.fields["moi_id"] == f"ontology_terms/{line['moi_curie'].replace(':', '_')}"
    assert own_values.fields["term_name"] == line["disease_title"]
