"""The rows that the stand-in finds, and their form."""

import pytest

from biofact.sandbox.services.igvf.standin import IgvfStandIn, stand_ins
from biofact.sandbox.standin import ServiceRequest
from tests.each_of import each_of
from tests.processor_time import least_seconds
from tests.sources.igvf.catalog_rows import CatalogPart, catalog, edge
from tests.sources.igvf.made_catalog import (
    BRAF,
    BRCA1,
    BRCA2,
    CHANGE,
    FIRST,
    MOUSE_BRCA1,
    MOUSE_VARIANT,
    SECOND,
    THIRD,
    ids,
    rows,
    status_and_document,
)

pytestmark = pytest.mark.quick


class TestRecords:
    """The endpoints of entities."""

    @each_of(
        "query",
        [
            f"gene_id={BRCA1}",
            "hgnc_id=HGNC:1100",
            "hgnc_id=1100",
            "entrez=ENTREZ:672",
            "entrez=672",
            "name=BRCA1",
            "synonym=RNF53",
            "name=BRCA1&gene_type=protein_coding",
            "region=chr17:43044294-43044295",
            "region=chr17:43170244-43170245",
        ],
    )
    def test_a_gene_is_found_by_each_of_its_names(self, query: str) -> None:
        assert ids(f"/genes?{query}") == [BRCA1]

    @each_of(
        "query",
        [
            "gene_id=ENSG00000099999",
            "synonym=rnf53",
            f"gene_id={MOUSE_BRCA1}",
            "region=chr17:43044293-43044294",
            "region=chr17:43170245-43170246",
            f"gene_id={BRCA1}&region=chr13:1-2",
        ],
    )
    def test_a_query_without_a_match_is_an_empty_list(self, query: str) -> None:
        assert rows(f"/genes?{query}") == []

    def test_coordinates_become_half_open(self) -> None:
        (gene,) = rows("/genes?name=BRCA1")
        (element,) = rows("/genomic-elements?region=chr17:43045711-43045712")

        assert (gene["chr"], gene["start"], gene["end"]) == ("chr17", 43044294, 43170245)
        assert (element["name"], element["start"], element["end"]) == ("enhancer_2", 43045711, 43045800)

    def test_mice_are_apart(self) -> None:
        assert ids("/genes?organism=Mus musculus") == [MOUSE_BRCA1]
        assert ids("/variants?region=chr11:101399999-101400001&organism=Mus musculus") == [MOUSE_VARIANT]
        assert rows("/variants?region=chr11:101399999-101400001") == []

    @each_of(
        "query",
        [f"spdi={FIRST}", f"variant_id={FIRST}", "rsid=rs102", "hgvs=NC_000017.11:g.43045710T>C", "ca_id=CA10001"],
    )
    def test_a_variant_is_found_by_each_of_its_names(self, query: str) -> None:
        (variant,) = rows(f"/variants?{query}")

        assert (variant["_id"], variant["chr"], variant["pos"]) == (FIRST, "chr17", 43045709)
        assert variant["rsid"] == ["rs101", "rs102"]
        assert variant["annotations"] == {"gnomad_af_total": 0.2, "GENCODE_category": "coding"}

    def test_a_region_of_variants_starts_at_its_start_and_ends_before_its_end(self) -> None:
        assert ids("/variants?region=chr17:43045709-43045710") == [FIRST]
        assert ids("/variants?region=chr17:43045708-43045711") == [FIRST, SECOND]
        assert ids("/variants?region=chr17:43045708-43045711&GENCODE_category=coding") == [FIRST]
        assert rows("/variants?region=chr17:43045711-43045800") == []

    def test_variants_are_found_by_frequency(self) -> None:
        words = "/variants/freq?source=gnomad_af_total&region=chr17:43045700-43055000"

        assert ids(words) == [FIRST, SECOND]
        assert ids(f"{words}&minimum_af=0.3") == [SECOND]
        assert ids(f"{words}&maximum_af=0.2") == [FIRST]
        assert rows("/variants/freq?source=bravo_af&region=chr17:43045700-43055000") == []

    def test_a_region_is_counted(self) -> None:
        status, summary = status_and_document("/variants/region-summary?region=chr17:43045709-43045711")

        assert status == 200
        assert summary["variant_count"] == 2
        assert {"method": "eQTL", "count": 2} in summary["by_method"]

    def test_the_nearest_genes_are_those_over_it_or_one_on_either_side(self) -> None:
        assert ids("/variants/nearest-genes?region=chr17:43044000-43044500") == [BRCA1]
        assert ids("/variants/nearest-genes?region=chr17:43170300-43170400") == [BRCA1]
        assert rows("/variants/nearest-genes?region=chr2:1-2") == []

    def test_proteins_are_found_by_accession_version_and_cross_reference(self) -> None:
        for query in ("protein_id=P38398-1", "protein_id=ENSP00000350283.2", "dbxrefs=CCDS11453.1", "name=brca1"):
            assert ids(f"/proteins?{query}") == ["ENSP00000350283"], query

    def test_coding_variants_are_found_by_name_and_by_id(self) -> None:
        for query in (f"name={CHANGE}", f"id={CHANGE}", "name=BRCA1_ENST00000357654_p.Met1?_c.1A>G"):
            (result,) = rows(f"/coding-variants?{query}")
            assert (result["aapos"], result["REVEL_score"], result["SIFT_score"]) == (1, 0.7, None)
        assert rows("/coding-variants?gene_name=BRCA1&amino_acid_position=2") == []

    def test_others_are_found_by_their_ids(self) -> None:
        assert ids("/ontology-terms?term_id=UBERON_0000955", "name") == ["brain"]
        assert ids("/complexes?name=bard1") == ["CPX-1"]
        assert ids("/studies?pmid=77") == ["GCST1"]
        assert ids("/pathways?is_top_level_pathway=true") == ["R-HSA-1"]
        assert ids("/motifs?tf_name=brca1_human", "name") == ["M1"]
        assert rows("/pathways?is_top_level_pathway=false") == []


class TestPages:
    """The choice of rows, and their order."""

    def test_pages_are_25_rows_and_count_from_zero(self) -> None:
        stand_in = IgvfStandIn(catalog(*made_edges(60)))
        pages = [rows(f"/genes/variants?gene_id={BRCA1}&page={page}", stand_in) for page in range(4)]

        assert [len(page) for page in pages] == [25, 25, 10, 0]
        sequence_variants = [row["sequence_variant"] for page in pages for row in page]
        assert sequence_variants == sorted(set(sequence_variants))

    def test_a_limit_above_the_most_is_cut_without_a_word(self) -> None:
        stand_in = IgvfStandIn(catalog(*made_edges(600)))

        assert len(rows(f"/genes/variants?gene_id={BRCA1}&limit=500", stand_in)) == 500
        assert len(rows(f"/genes/variants?gene_id={BRCA1}&limit=5000", stand_in)) == 500
        assert len(rows(f"/genes/variants?gene_id={BRCA1}&limit=500&page=1", stand_in)) == 100
        assert rows(f"/genes/variants?gene_id={BRCA1}&limit=0", stand_in) == []

    def test_entities_come_in_the_order_of_their_ids(self) -> None:
        assert ids("/genes?limit=2") == [BRCA1, BRCA2]
        assert ids("/genes?limit=2&page=1") == [BRAF]

    def test_transcripts_and_proteins_come_by_chromosome_alone(self) -> None:
        assert ids("/transcripts?organism=Homo sapiens", "chr") == ["chr13", "chr17"]
        assert ids("/proteins?organism=Homo sapiens", "name") == ["BRCA2", "BRCA1"]

    @pytest.mark.sweep
    def test_thousands_of_edges_are_not_searched_one_by_one(self) -> None:
        stand_in = IgvfStandIn(catalog(*made_edges(20_000)))
        request = ServiceRequest("GET", "/variants/genes", (("variant_id", "NC_000001.11:10500:A:C"),))

        def ask_a_hundred() -> None:
            for _ in range(100):
                stand_in.reply(request)

        assert least_seconds(ask_a_hundred, 0.5) < 0.5, "a request took more than 5 ms"


def made_edges(count: int) -> list[CatalogPart]:
    variants = (f"NC_000001.11:{10_000 + number}:A:C" for number in range(count))
    return [edge("variant_gene", variant, BRCA1) for variant in variants]


class TestAssociations:
    """The endpoints of edges."""

    def test_ends_are_references_unless_verbose(self) -> None:
        (row,) = rows(f"/variants/genes?variant_id={THIRD}")
        (whole,) = rows(f"/variants/genes?variant_id={THIRD}&verbose=true")

        assert (row["sequence_variant"], row["gene"]) == (f"variants/{THIRD}", f"genes/{BRCA2}")
        assert (whole["sequence_variant"]["rsid"], whole["gene"]["name"]) == (["rs104"], "BRCA2")
        assert (row["label"], row["p_value"], row["biosample_term"]) == ("eQTL", None, "ontology_terms/UBERON_0000955")

    @each_of(
        ("filters", "count"),
        [
            ("", 4),
            ("&source=EBI", 1),
            ("&label=spliceQTL", 1),
            ("&method=eQTL&biosample_term=UBERON_0002107", 2),
            ("&biological_context=liver", 2),
            ("&neg_log10_pvalue=gte:4", 2),
            ("&neg_log10_pvalue=gt:4", 1),
            ("&neg_log10_pvalue=lt:4", 1),
            ("&neg_log10_pvalue=4", 1),
            ("&effect_size=lte:-0.5", 1),
            ("&significant=true", 1),
            ("&name=modulates splicing of", 1),
            ("&files_fileset=IGVFFI0000AAAA", 0),
        ],
    )
    def test_rows_are_filtered(self, filters: str, count: int) -> None:
        assert len(rows(f"/variants/genes?region=chr17:43045700-43055700{filters}")) == count

    def test_both_ends_may_be_asked_for(self) -> None:
        assert len(rows(f"/genes/genes?gene_id={BRCA1}")) == 2
        (row,) = rows(f"/genes/genes?gene_id={BRCA1}&associated_gene_id={BRAF}")
        assert (row["gene_1"], row["gene_2"], row["z_score"]) == (f"genes/{BRAF}", f"genes/{BRCA1}", -1.5)
        assert row["name"] == "interacts with"
        assert rows(f"/genes/genes?gene_id={BRCA2}&associated_gene_id={BRAF}") == []

    def test_linkage_names_the_other_variant_once_more(self) -> None:
        first, second = rows("/variants/variant-ld?rsid=rs101")

        assert (first["variant_1_spdi"], first["sequence_variant"]) == (FIRST, SECOND)
        assert (second["variant_2_spdi"], second["sequence_variant"]) == (FIRST, THIRD)
        assert (first["variant_1_base_pair"], second["variant_1_base_pair"]) == ("T:C", "C:T")
        (whole,) = rows("/variants/variant-ld?rsid=rs103&verbose=true")
        assert [variant["_id"] for variant in whole["sequence_variant"]] == [FIRST]

    def test_predictions_are_those_of_elements_that_hold_the_variant(self) -> None:
        (row,) = rows(f"/variants/predictions?variant_id={SECOND}")

        assert (row["id"], row["target_gene"]["gene_name"], row["cell_type"]) == (
            "genomic_elements/enhancer_1",
            "BRCA1",
            "K562",
        )
        assert (row["element_start"], row["element_end"]) == (43045700, 43045711)
        assert rows(f"/variants/predictions?variant_id={THIRD}") == []

    def test_perturbed_elements_are_those_that_hold_the_variant(self) -> None:
        (row,) = rows(f"/variants/genomic-elements/genes?variant_id={FIRST}")

        assert (row["genomic_element"]["_id"], row["gene"]["name"], row["method"]) == (
            "enhancer_1",
            "BRCA1",
            "Perturb-seq",
        )

    def test_a_region_of_elements_finds_their_genes(self) -> None:
        assert len(rows("/genomic-elements/genes?region=chr17:43045710-43045711")) == 2
        assert rows("/genomic-elements/genes?region=chr17:43045711-43045712") == []

    def test_regulators_and_their_genes_are_named_by_symbol(self) -> None:
        for query in (f"regulator_gene_id={BRCA1}", f"response_gene_id={BRAF}", "regulator_gene_name=BRCA1"):
            (row,) = rows(f"/gene-regulatory-network?{query}")
            assert (row["genomic_element"]["regulator_gene"], row["response_gene"]) == ("BRCA1", "BRAF")

    def test_a_phenotype_has_a_reference_and_a_name(self) -> None:
        gwas, figures = rows("/phenotypes/variants?phenotype_id=MONDO_0007915")

        assert (gwas["phenotype_id"], gwas["phenotype_term"]) == (
            "ontology_terms/MONDO_0007915",
            "systemic lupus erythematosus",
        )
        assert (gwas["study"], gwas["lead_pos"]) == ("studies/GCST1", 43045710)
        assert (figures["score"], "lead_pos" in figures) == (0.4, False)
        (gwas, _) = rows("/phenotypes/variants?phenotype_id=MONDO_0007915&verbose=true")
        assert gwas["study"]["pmid"] == "PMID:77"

    def test_p_values_filter_studies_alone(self) -> None:
        result = rows("/phenotypes/variants?phenotype_id=MONDO_0007915&neg_log10_pvalue=gt:50")

        assert [row["method"] for row in result] == ["SGE"]

    def test_variants_of_diseases_have_no_id(self) -> None:
        (row,) = rows(f"/variants/diseases?variant_id={FIRST}&verbose=true")

        assert (row["sequence_variant"]["spdi"], "_id" in row["sequence_variant"]) == (FIRST, False)
        assert rows(f"/variants/diseases?variant_id={FIRST}&assertion=Pathogenic") == []

    def test_rows_of_drugs_name_the_asked_end_as_the_store_does(self) -> None:
        (of_variant,) = rows("/variants/drugs?rsid=rs101&pmid=123&phenotype_categories=PD&verbose=true")
        (of_drug,) = rows("/drugs/variants?drug_name=aspirin")

        assert (of_variant["_from"], of_variant["drug"]["name"]) == (f"variants/{FIRST}", "aspirin")
        assert (of_drug["_to"], of_drug["sequence_variant"]) == ("drugs/PA1", f"variants/{FIRST}")
        assert rows("/variants/drugs?rsid=rs101&pmid=124") == []

    def test_verbose_rows_from_motifs_name_the_edge_where_the_motif_should_be(self) -> None:
        (row,) = rows("/motifs/proteins?tf_name=BRCA1_HUMAN&verbose=true")
        (plain,) = rows("/motifs/proteins?tf_name=BRCA1_HUMAN")

        assert (row["motif"], row["protein"]["name"]) == ("M1_ENSP00000350283", "BRCA1")
        assert (plain["motif"], plain["protein"]) == ("motifs/M1", "proteins/ENSP00000350283")

    def test_functions_are_asked_by_protein_and_not_by_gene(self) -> None:
        for query in ("ENSP00000350283", "P38398", "BRCA1", "BRCA1_HUMAN"):
            (row,) = rows(f"/gene-products/go-terms?query={query}")
            assert (row["go_id"], row["go_term_name"], row["qualifier"]) == ("GO:0003677", "dna binding", ["enables"])
            assert row["name"] == "has the function"
        assert rows(f"/gene-products/go-terms?query={BRCA1}") == []
        assert ids("/go-terms/gene-products?go_term_id=GO_0003677", "name") == ["is a function of"]

    def test_scores_are_nested_by_change_and_variant(self) -> None:
        (change,) = rows("/genes/coding-variants/scores?gene_name=BRCA1")

        assert change["protein_change"]["hgvsp"] == "p.Met1?"
        assert [
            (variant["variant"]["_id"], [score["method"] for score in variant["scores"]])
            for variant in change["variants"]
        ] == [
            (FIRST, ["SGE", "MutPred2"]),
            (SECOND, ["SGE"]),
        ]
        (filtered,) = rows("/genes/coding-variants/scores?gene_name=BRCA1&method=MutPred2")
        assert [variant["variant"]["_id"] for variant in filtered["variants"]] == [FIRST]

    def test_changes_and_their_variants_are_found_from_either_end(self) -> None:
        assert ids(f"/variants/coding-variants?spdi={FIRST}") == [CHANGE]
        assert ids(f"/coding-variants/variants?coding_variant_name={CHANGE}") == [FIRST]
        assert rows(f"/variants/coding-variants?spdi={THIRD}") == []

    def test_a_variant_that_only_an_edge_knows_is_written_from_its_id(self) -> None:
        stand_in = IgvfStandIn(catalog(*made_edges(1)))
        (row,) = rows("/variants/genes?variant_id=NC_000001.11:10000:A:C&verbose=true", stand_in)

        assert (row["sequence_variant"]["chr"], row["sequence_variant"]["pos"]) == ("chr1", 10000)
        assert row["gene"] == f"genes/{BRCA1}"


def test_the_sandbox_has_the_starter_facts() -> None:
    (stand_in,) = stand_ins()

    assert isinstance(stand_in, IgvfStandIn)
    assert [row["_id"] for row in rows("/genes?name=TP53", stand_in)] == ["ENSG00000141510"]
