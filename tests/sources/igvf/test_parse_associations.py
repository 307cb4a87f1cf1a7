"""Every recorded row that joins entities, as whole associations. Expected values were read off the files."""

import json

import pytest

from biofact.dialects.genomic.regions import Region
from biofact.sources.igvf import parse
from biofact.sources.igvf.catalog import endpoints
from biofact.sources.igvf.parse import StartEntity
from tests.each_of import each_of
from tests.recordings import FOLDER, needs_recordings, recording

pytestmark = [pytest.mark.quick, needs_recordings]

OPERATIONS = {endpoint.operation: endpoint for endpoint in endpoints().values()}
ELEMENT = "accessible_dna_element_1_975872_976361_GRCh38_AFGR"
ACCESSIBILITY = {
    "predicate": "biolink:affects",
    "object": ELEMENT,
    "aspect": "accessibility",
    "effect_type": "beta",
    "context": "lymphoblastoid cell line",
    "context_id": "EFO:0005292",
    "region": f"chr1:{975872 + 1}-976361",
    "relationship": "regulatory",
    "source": "AFGR",
    "method": "caQTL",
    "label": "caQTL",
}
LD = {
    "predicate": "biolink:in_linkage_disequilibrium_with",
    "r2": 0.315,
    "d_prime": 0.608,
    "ancestry": "EUR",
    "relationship": "ld",
    "source": "TopLD",
    "label": "linkage disequilibrum",
    "notices": [
        {
            "code": "MISMATCH",
            "message": "The row contradicts itself: alleles C:T beside NC_000011.10:8102410:C:G.",
        }
    ],
}
PARAMS = {
    "codingVariantsFromGenes": StartEntity("gene", "ENSG00000176715", "ACSF3"),
    "nearestGenes": StartEntity("variant", "NC_000001.11:1157520:C:T", place=Region("1", 1157520 + 1, 1158189)),
    "codingVariantsFromVariants": StartEntity("variant", "NC_000001.11:65564:A:T"),
    "genomicElementsFromVariantsCount": StartEntity("variant", "NC_000001.11:1628997:GGG:GG"),
    "qtlSummaryEndpoint": StartEntity("variant", "NC_000001.11:40242002:G:A"),
}
"""The start of the query, for rows that do not repeat it."""


def p(logarithm):
    return pytest.approx(10**-logarithm, rel=1e-3)


ITEM = {
    "nearestGenes": {
        "subject": "NC_000001.11:1157520:C:T",
        "predicate": "biolink:related_to",
        "object": "ENSG00000223823",
        "object_name": "LINC01342",
        "aspect": "proximity",
        "distance": 1157520 + 1 - 1144056,
        "relationship": "nearest_genes",
        "source": "GENCODE",
    },
    "annotationsFromGoTerms": {
        "subject": "ENSP00000262053",
        "predicate": "biolink:part_of",
        "object": "GO:1990590",
        "subject_name": "ATF1",
        "object_name": "atf1-atf4 transcription factor complex",
        "statement": "IDA",
        "relationship": "functional",
        "source": "Gene Ontology",
    },
    "goTermsFromAnnotations": {
        "subject": "ENSP00000384707",
        "predicate": "biolink:actively_involved_in",
        "object": "GO:0000122",
        "subject_name": "CTCF",
        "object_name": "negative regulation of transcription by rna polymerase ii",
        "statement": "IDA",
        "relationship": "functional",
        "source": "Gene Ontology",
    },
    "codingVariantsFromVariants": {
        "subject": "NC_000001.11:65564:A:T",
        "predicate": "biolink:related_to",
        "object": "OR4F5_ENST00000641515_p.Met1!_c.1A-T",
        "dataset": "IGVFFI8105TNNO",
        "object_name": "OR4F5_ENST00000641515_p.Met1?_c.1A>T",
        "change": "p.Met1?",
        "gene": "OR4F5",
        "relationship": "coding",
        "source": "IGVF",
    },
    "deprecatedCodingVariantsSummary": {
        "subject": "NC_000018.10:31546002:CA:GT",
        "predicate": "biolink:is_sequence_variant_of",
        "object": "ENST00000261590",
        "score": 0.362,
        "change": "p.Gln873Val",
        "gene": "DSG2",
        "method": "MutPred2",
        "dataset": "IGVFFI6893ZOAA",
    },
    "genomicElementsFromVariants": {
        **ACCESSIBILITY,
        "subject": "NC_000001.11:976214:A:G",
        "subject_name": "rs7417106",
        "p_value": p(10.581297751595223),
        "effect": -0.615266,
        "effect_allele": "G",
    },
    "variantsFromGenomicElements": {
        **ACCESSIBILITY,
        "subject": "NC_000001.11:975028:T:C",
        "subject_name": "rs28536514",
        "p_value": p(5.057424508825282),
        "effect": -0.47241,
        "effect_allele": "C",
    },
    "qtlSummaryEndpoint": {
        "subject": "NC_000001.11:40242002:G:A",
        "predicate": "biolink:affects",
        "object": "ENSG00000259943",
        "object_name": "ZMPSTE24-DT",
        "aspect": "expression",
        "p_value": p(7.626903),
        "effect": 0.3115568,
        "effect_type": "effect_size",
        "effect_allele": "A",
        "context": "lymphoblastoid cell line",
        "label": "eQTL",
    },
    "motifsFromProteins": {
        "subject": "ENSP00000242057",
        "predicate": "biolink:interacts_with",
        "object": "AHR_HUMAN_HOCOMOCOv11",
        "object_name": "AHR_HUMAN",
        "relationship": "physical",
        "source": "HOCOMOCOv11",
    },
    # The row's motif ends in the protein's ID: the key of the edge. /motifs and /proteins/motifs name it without.
    "proteinsFromMotifs": {
        "subject": "ENSP00000242057",
        "predicate": "biolink:interacts_with",
        "object": "AHR_HUMAN_HOCOMOCOv11",
        "subject_name": "AHR",
        "relationship": "physical",
        "source": "HOCOMOCOv11",
    },
    "variantsFromDiseases": {
        "subject": "NC_000012.12:102855312:C:T",
        "predicate": "biolink:associated_with",
        "object": "MONDO:0009861",
        "statement": "Pathogenic",
        "gene": "PAH",
        "relationship": "genetic",
        "source": "ClinGen",
        "publications": ["PMID:12501224", "PMID:23764561"],  # the first stands twice in the row
    },
    "variantsFromGeneProteins": {
        "subject": "NC_000001.11:100018596:G:A",
        "predicate": "biolink:affects",  # "binding modulated by", read from the other end
        "object": "ENSP00000262053",
        "subject_name": "rs493353",
        "object_name": "ATF1",
        "aspect": "binding",
        "source": "IGVF",
        "dataset": "IGVFFI0183ELIK",
    },
    "variantsFromVariantID": {
        **LD,
        "subject": "NC_000011.10:8102410:C:G",
        "object": "NC_000011.10:9083634:A:T",
        "subject_name": "rs537097834",
        "object_name": "rs60960132",
    },
}
"""The only association of each row, by operation."""
GROUP = {
    "codingVariantsFromGenes",
    "genesProteinsFromVariants",
    "genesProteinsGenesProteins",
    "genomicElementsFromVariantsCount",
}
"""Operations whose rows hold several associations."""


def sample(operation):
    return json.loads(recording(f"igvf/example_{operation}.json"))["sample"]


def read(operation, params=None):
    associations = parse.associations(OPERATIONS[operation], sample(operation), params or PARAMS.get(operation))
    return [record.model_dump(mode="json", by_alias=True) for record in associations]


def test_every_recorded_row_that_joins_entities_is_compared():
    removeprefixs = {path.stem.removeprefix("example_") for path in FOLDER.glob("igvf/example_*.json")}
    edge_names = {name for name in removeprefixs & OPERATIONS.keys() if OPERATIONS[name].edge and sample(name)}

    assert edge_names == ITEM.keys() | GROUP


@each_of("operation", sorted(ITEM))
def test_a_recorded_row_is_one_whole_association(operation):
    assert read(operation) == [ITEM[operation]]


@pytest.mark.parametrize("name", ["rs60960132", None])
def test_the_asked_variant_of_a_pair_comes_first(name):
    assert read("variantsFromVariantID", StartEntity("variant", "NC_000011.10:9083634:A:T", name)) == [
        {
            **LD,
            "subject": "NC_000011.10:9083634:A:T",
            "object": "NC_000011.10:8102410:C:G",
            "subject_name": "rs60960132",
            "object_name": "rs537097834",
        }
    ]


def test_a_change_of_a_protein_is_as_many_associations_as_its_variants_have_scores():
    repeat = {
        "predicate": "biolink:is_sequence_variant_of",
        "object": "ENSG00000176715",
        "object_name": "ACSF3",
        "change": "p.Ala17Pro",
        "relationship": "coding",
    }
    predicted = {**repeat, "score": 0.3863175982578106, "method": "MutPred2", "dataset": "IGVFFI6893ZOAA"}
    figures = {**repeat, "score": -1.2568303962626555, "method": "DUAL-IPA", "dataset": "IGVFFI6224HZMG"}
    known_values = {"subject": "NC_000016.10:89100729:G:C", "subject_name": "rs11547019"}

    assert read("codingVariantsFromGenes") == [
        {**figures, **known_values},
        {**predicted, **known_values},
        *({**predicted, "subject": f"NC_000016.10:89100729:GCG:{alt}"} for alt in ("CCA", "CCC", "CCT")),
    ]


def test_all_that_a_variant_is_linked_to_is_an_association_each():
    row, text = sample("genesProteinsFromVariants"), read("genesProteinsFromVariants")
    eqtl, *motifs = text

    assert eqtl == {
        "subject": "NC_000001.11:630556:T:C",
        "predicate": "biolink:affects",
        "object": "ENSG00000169972",
        "subject_name": "rs7417504",
        "object_name": "PUSL1",
        "aspect": "expression",
        "p_value": p(6.437445),
        "context": "lymphoblastoid cell line",
        "source": "AFGR",
        "label": "eQTL",
    }
    assert motifs == [
        {
            "subject": "NC_000001.11:630556:T:C",
            "predicate": "biolink:affects",
            "object": item["protein"]["_id"].split("/")[1],
            "subject_name": "rs7417504",
            "object_name": item["protein"]["name"],
            "aspect": "binding",
            "source": "IGVF",
        }
        for item in row["related"][1:]
    ]
    assert (len(text), len({item["object"] for item in text})) == (25, 25)
    assert sum(item["sources"][0].get("motif", "").endswith("_SEMpl") for item in row["related"]) == 24


def test_proteins_that_are_linked_without_a_word_why_are_related():
    related = sample("genesProteinsGenesProteins")["related"]

    assert len(related) == 23
    assert read("genesProteinsGenesProteins") == [
        {
            "subject": "ENSP00000262053",
            "predicate": "biolink:related_to",
            "object": item["_id"],
            "subject_name": "ATF1",
            "object_name": item["name"],
        }
        for item in related
    ]


def test_each_gene_near_a_predicted_element_is_an_association():
    genes = sample("genomicElementsFromVariantsCount")["genes"]
    associations = read("genomicElementsFromVariantsCount")

    assert [(item["object"], item["object_name"]) for item in associations] == [
        (gene["id"].removeprefix("genes/"), gene["gene_name"]) for gene in genes
    ]
    assert len(associations) == 18
    assert associations[0] == {
        "subject": "NC_000001.11:1628997:GGG:GG",
        "predicate": "biolink:affects",
        "object": "ENSG00000008128",
        "object_name": "CDK11A",
    }


@each_of("operation", sorted(PARAMS))
def test_a_row_that_leaves_out_what_was_asked_for_says_nothing_without_it(operation):
    assert list(parse.associations(OPERATIONS[operation], sample(operation))) == []


@each_of("operation", sorted({*ITEM, *PARAMS} - {"variantsFromVariantID"}))
def test_a_row_without_contradictions_comes_without_notices(operation):
    assert not any("notices" in item for item in read(operation))
