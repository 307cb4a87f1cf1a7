"""If nothing fits a name, the service answers with something similar without a notice: so does the stand-in."""

import pytest

from biofact.sandbox.services.igvf.corpus import is_within, similar_texts, tokens
from biofact.sandbox.services.igvf.standin import IgvfStandIn
from tests.each_of import each_of
from tests.sources.igvf.catalog_rows import catalog, edge, gene, other, term
from tests.sources.igvf.made_catalog import BRAF, BRCA1, BRCA2, FIRST, LIVER, MOUSE_BRCA1, ids, qtl, rows

pytestmark = pytest.mark.quick


def genes(*symbols: str) -> IgvfStandIn:
    genes = (
        gene(uid=f"ENSG{number:011}", symbol=symbol, chromosome="1", start=number, end=number + 10)
        for number, symbol in enumerate(symbols, 1)
    )
    return IgvfStandIn(catalog(*genes))


def symbols(question: str, stand_in: IgvfStandIn) -> list[str]:
    return [row["name"] for row in rows(question, stand_in)]


class TestGenes:
    """``/genes?name=``: exactly, else by tokens in any letter case, else with one changed character."""

    @each_of(
        ("name", "result"),
        [
            ("BRCA1", [BRCA1]),
            ("brca1", [BRCA1]),  # tokens are compared in lower case
            ("rnf53", [BRCA1]),  # synonyms are searched too
            ("BRCA", [BRCA1, BRCA2]),  # one character less
            ("BRCA3", [BRCA1, BRCA2]),
            ("BRCC", [BRCA1, BRCA2]),  # synonyms, one character less
            ("BRA", [BRAF]),
            ("TP53", []),
        ],
    )
    def test_a_name_that_no_gene_has_finds_similar_ones(self, name: str, result: list[str]) -> None:
        assert ids(f"/genes?name={name}") == result

    def test_a_synonym_is_compared_exactly(self) -> None:
        assert ids("/genes?synonym=RNF53") == [BRCA1]
        assert ids("/genes?synonym=rnf53") == []
        assert ids("/genes?synonym=RNF5") == []

    def test_the_organism_still_counts(self) -> None:
        assert ids("/genes?name=BRCA1&organism=Mus musculus") == [MOUSE_BRCA1]

    def test_other_filters_still_count(self) -> None:
        assert ids("/genes?name=BRCA&region=chr17:43044294-43044394") == [BRCA1]
        assert ids("/genes?name=brca1&collection=ACMG73") == []

    def test_an_exact_name_that_is_paged_past_its_end_finds_similar_ones(self) -> None:
        stand_in = genes("TP53", *(f"TP53-AS{number}" for number in range(30)))

        assert symbols("/genes?name=TP53&limit=500", stand_in) == ["TP53"]
        assert len(symbols("/genes?name=TP53&limit=500&page=1", stand_in)) == 6

    def test_similar_terms_come_25_to_a_page_for_any_limit(self) -> None:
        stand_in = genes(*(f"HOX-A{number}" for number in range(60)))

        pages = [symbols(f"/genes?name=hox&limit=500&page={page}", stand_in) for page in range(4)]
        assert [len(page) for page in pages] == [25, 25, 10, 0]
        assert len(symbols("/genes?name=hox&limit=2", stand_in)) == 25


class TestOtherFallbacks:
    """Proteins, drugs, terms and pathways likewise."""

    @each_of(
        ("query", "result"),
        [
            ("name=brca1", ["BRCA1"]),  # in capitals it is one
            ("name=BARD1", ["BRCA1"]),  # three changed characters
            ("name=TP53", []),
            ("uniprot_name=brca1_human", ["BRCA1"]),
            ("uniprot_name=BRCA_HUMAN", ["BRCA2", "BRCA1"]),
            ("uniprot_full_name=susceptibility cancer", ["BRCA1"]),
            ("uniprot_full_name=brest cancer", ["BRCA1"]),  # the first word alone is compared
        ],
    )
    def test_proteins(self, query: str, result: list[str]) -> None:
        assert ids(f"/proteins?{query}", "name") == result

    @each_of(
        ("query", "result"),
        [
            ("name=liver", ["liver"]),
            ("name=Liver", ["right lobe of liver", "liver"]),
            ("name=livre", []),  # two changes
            ("name=livers", ["right lobe of liver", "liver"]),
            ("name=lupus", ["systemic lupus erythematosus"]),
            ("synonyms=lupus", ["systemic lupus erythematosus"]),
            ("synonyms=sle", ["systemic lupus erythematosus"]),
            ("synonyms=encephalo", ["brain"]),
            ("name=Liver&source=GO", []),
        ],
    )
    def test_terms(self, query: str, result: list[str]) -> None:
        assert ids(f"/ontology-terms?{query}", "name") == result

    def test_drugs_and_pathways(self) -> None:
        group = (
            other("drugs", "PA1", name="aspirin"),
            other("drugs", "PA2", name="aspirin lysine"),
            other("pathways", "R-HSA-1", name="DNA Repair", name_aliases=["Repair of DNA"]),
        )
        stand_in = IgvfStandIn(catalog(*group))

        assert symbols("/drugs?name=aspirin", stand_in) == ["aspirin"]
        assert symbols("/drugs?name=Aspirin", stand_in) == ["aspirin", "aspirin lysine"]
        assert symbols("/drugs?name=asprin", stand_in) == ["aspirin", "aspirin lysine"]
        assert symbols("/pathways?name=repair dna", stand_in) == ["DNA Repair"]
        assert symbols("/pathways?name_aliases=REPAIR OF", stand_in) == ["DNA Repair"]


class TestAssociations:
    """Edges by the name of an end, and by the context of their discovery."""

    @each_of(
        ("context", "result"),
        [
            ("liver", ["liver", "liver"]),
            ("brain", ["brain"]),
            ("right", ["right lobe of liver"]),  # names that begin with the text
            ("Liver", ["liver", "liver", "right lobe of liver"]),  # names with the token
            ("liver lobe", ["right lobe of liver"]),
            ("brian", ["brain"]),  # two changes
            ("liver cancer", ["liver", "liver", "right lobe of liver"]),  # names that share a token
            ("kidney", []),
        ],
    )
    def test_a_context_that_no_row_has_finds_similar_ones(self, context: str, result: list[str]) -> None:
        contexts = ids(
            f"/variants/genes?region=chr17:43045700-43055700&biological_context={context}", "biological_context"
        )

        assert sorted(contexts) == sorted(result)

    def test_a_context_that_is_paged_past_its_end_finds_similar_ones(self) -> None:
        contexts = ("liver", "liver", "liver of a fetus", "right liver")
        variants = (f"NC_000001.11:{number}:A:C" for number in range(1, 5))
        edges = [qtl(variant, BRCA1, context, LIVER) for variant, context in zip(variants, contexts, strict=True)]
        stand_in = IgvfStandIn(catalog(*edges))
        text = f"/genes/variants?gene_id={BRCA1}&biological_context=liver&limit=2"

        pages = [[row["biological_context"] for row in rows(f"{text}&page={page}", stand_in)] for page in range(3)]
        assert pages == [["liver", "liver"], ["liver of a fetus"], []]

    def test_a_tissue_that_no_row_has_finds_similar_ones(self) -> None:
        result = ids("/variants/genes?region=chr17:43045700-43055700&biosample_term=UBERON_0002108", "biosample_term")

        assert result == ["ontology_terms/UBERON_0002107"] * 2

    def test_a_gene_that_there_is_not_finds_rows_of_similar_ones(self) -> None:
        genes = {row["gene"] for row in rows("/genes/variants?gene_name=BRCA")}

        assert genes == {f"genes/{BRCA1}", f"genes/{BRCA2}"}
        assert {row["gene"] for row in rows("/genes/variants?gene_name=BRCA2")} == {f"genes/{BRCA2}"}

    def test_a_disease_or_phenotype_that_there_is_not_finds_rows_of_similar_ones(self) -> None:
        assert len(rows("/diseases/variants?disease_name=lupus")) == 1
        assert len(rows("/phenotypes/variants?phenotype_name=Systemic Lupus")) == 2
        assert rows("/diseases/variants?disease_name=asthma") == []

    def test_a_biosample_that_there_is_not_finds_a_similar_one(self) -> None:
        sample = term(uid="EFO_0001187", name="HepG2", source="EFO")
        stand_in = IgvfStandIn(catalog(sample, edge("variant_biosample", FIRST, "EFO_0001187")))

        assert len(rows("/biosamples/variants?biosample_name=hepg2", stand_in)) == 1
        assert rows("/biosamples/variants?biosample_name=K562", stand_in) == []


def test_texts_with_the_same_beginning_come_before_those_with_a_common_word() -> None:
    texts = ["brain", "brainstem", "liver", "left brain"]

    assert similar_texts("brain", texts) == {"brain", "brainstem"}
    assert similar_texts("Brain", texts) == {"brain", "left brain"}
    assert similar_texts("brian", texts) == {"brain"}
    assert similar_texts("left liver", texts) == {"liver", "left brain"}


@each_of(
    ("item", "other", "limit", "is_so"),
    [
        ("brca1", "brca1", 0, True),
        ("brca1", "brca2", 1, True),
        ("brca1", "brca", 1, True),
        ("brca1", "brca12", 1, True),
        ("brain", "brian", 1, False),
        ("brain", "brian", 2, True),
        ("", "ab", 2, True),
        ("kitten", "sitting", 3, True),
        ("kitten", "sitting", 2, False),
    ],
)
def test_changes_of_a_character_are_counted(item: str, other: str, limit: int, is_so: bool) -> None:
    assert is_within(item, other, limit) is is_so
    assert is_within(other, item, limit) is is_so


def test_words_are_parted_at_blanks_and_punctuation_but_not_at_underscores() -> None:
    assert tokens("HLA-DRB1 (UBERON_0002107), Nkx2.5") == ("hla", "drb1", "uberon_0002107", "nkx2", "5")
