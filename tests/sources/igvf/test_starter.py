"""The starter rows: whole and consistent."""

import json
import math
import re
from collections import Counter
from importlib import resources

import pytest

from biofact.dialects.genomic.genomes import ASSEMBLIES, chromosome_of
from biofact.sandbox.services import igvf
from biofact.sandbox.services.igvf.corpus import COLLECTIONS
from biofact.sources.igvf import catalog
from tests.each_of import each_of
from tests.sources.igvf.catalog_rows import CatalogPart, starter, starter_edges

pytestmark = pytest.mark.quick

ROWS, EDGES = starter(), starter_edges()
GENES = {gene["_id"]: gene for gene in ROWS["genes"]}
SYMBOLS = {gene["name"]: gene["_id"] for gene in ROWS["genes"]}
TRANSCRIPTS = {transcript["_id"]: transcript for transcript in ROWS["transcripts"]}
IDS = {value.kind: [row[value.key] for row in ROWS[name]] for name, value in COLLECTIONS.items()}
ORGANISMS = {"Homo sapiens": "human", "Mus musculus": "mouse"}
FORMS = {
    "gene": r"ENS(MUS)?G\d{11}",
    "transcript": r"ENS(MUS)?T\d{11}",
    "protein": r"ENS(MUS)?P\d{11}",
    "variant": r"NC_\d{6}\.\d+:\d+:[ACGT]*:[ACGT]*",
    "coding_variant": r"[A-Z0-9]+_ENST\d{11}_p\.\w+[=!]?_c\.\w+(-[ACGT]+)?",
    "term": r"(BAO|CHEBI|CL|CLO|CVCL|DOID|EFO|GO|HP|MONDO|NCIT|OBA|Orphanet|UBERON)_C?\d+",
    "drug": r"PA\d{6}",
    "complex": r"CPX-\d+",
    "study": r"GCST\d{6,8}",
    "pathway": r"R-HSA-\d+",
    "motif": r"[A-Z0-9]+(_HUMAN_HOCOMOCOv11|_SEMpl)",
    "element": r"[\w-]+",
    "dataset": r"ENCFF\d{3}[A-Z]{3}|IGVFFI\d{4}[A-Z]{4}",
}
SOURCES = {"CVCL": "Cellosaurus", "HP": "HPO", "Orphanet": "ORPHANET"}
"""Sources of terms that are not named as the prefix is."""
SNV = re.compile(r"(NC_\d+\.\d+):g\.(\d+)([ACGT])>([ACGT])")
CHANGED = re.compile(r"(NC_\d+\.\d+):g\.(\d+)(?:_(\d+))?(del|dup|delins)([ACGT]*)")
POSITION = re.compile(r"chr(\w+?)_(\d+)_(\d+)_GRCh38.*|accessible_dna_element_(\w+?)_(\d+)_(\d+)_GRCh38_AFGR")
PARAMS = {endpoint.edge for endpoint in catalog.endpoints().values() if endpoint.edge and not endpoint.unused_reason}


def rows(edge: str, **filter_value: object) -> list[CatalogPart]:
    """The rows of an edge with these ends and fields."""
    group = (row for row in EDGES if row.collection == edge)
    return [
        row
        for row in group
        if all(getattr(row, name, row.fields.get(name)) == filter_value[name] for name in filter_value)
    ]


def variant_of(rsid: str) -> list[str]:
    return [variant["_id"] for variant in ROWS["variants"] if rsid in (variant["rsid"] or ())]


def place_of(spdi: str) -> tuple[str, str, int]:
    """Organism, chromosome and first position, 1-based."""
    accession, position, _, _ = spdi.split(":")
    organism, chromosome = chromosome_of(accession)
    return organism, chromosome, int(position) + 1


def elements_over(rsid: str) -> set[str]:
    _, chromosome, position = place_of(variant_of(rsid)[0])
    return {
        element["_id"]
        for element in ROWS["genomic_elements"]
        if element["chr"] == f"chr{chromosome}" and element["start"] < position <= element["end"]
    }


def test_there_is_enough_of_everything():
    genes = Counter(gene["organism"] for gene in ROWS["genes"])
    elements = Counter(element["organism"] for element in ROWS["genomic_elements"])
    edges = Counter(row.collection for row in EDGES)

    assert genes["Homo sapiens"] >= 60
    assert genes["Mus musculus"] >= 10
    assert len(ROWS["variants"]) >= 40
    assert sum(bool(variant["strain"]) for variant in ROWS["variants"]) >= 4
    assert len(ROWS["ontology_terms"]) >= 40
    assert len(ROWS["studies"]) >= 3
    assert elements["Homo sapiens"] >= 25
    assert elements["Mus musculus"] >= 5
    assert len(EDGES) - edges["gene_transcript"] - edges["gene_protein"] - edges["transcript_protein"] >= 150
    assert edges.keys() == PARAMS - {"place_gene"}  # which their places join


@each_of("kind", IDS)
def test_ids_are_well_formed_and_stand_for_one_thing(kind):
    ids = IDS[kind]

    assert ids
    assert len(set(ids)) == len(ids)
    assert [item for item in ids if not re.fullmatch(FORMS[kind], item)] == []


def test_the_ends_of_every_edge_are_there_and_of_its_kinds():
    for row in EDGES:
        edge = catalog.edges()[row.collection]
        for field, end in (("_from", edge.subject), ("_to", edge.object)):
            collection, _, uid = row.fields[field].partition("/")
            kind = COLLECTIONS[collection].kind
            assert kind == end.kind or (kind, end.kind) == ("complex", "protein"), row
            assert uid in IDS[kind], row


def test_every_edge_joins_one_organism():
    organisms = {
        row["_id"]: ORGANISMS[row["organism"]]
        for name in ("genes", "transcripts", "proteins", "genomic_elements", "variants")
        for row in ROWS[name]
    }

    for row in EDGES:
        ends = {organisms[end] for end in (row.subject, row.object) if end in organisms}
        starts = [endpoint.organisms for endpoint in catalog.endpoints().values() if endpoint.edge == row.collection]
        assert len(ends) <= 1, row
        assert ends <= {name for names in starts for name in names}, row


def test_every_field_that_names_something_names_what_is_there():
    partitions = [value.partition("/") for row in EDGES for value in row.values.values() if isinstance(value, str)]
    references = [(collection, uid) for collection, _, uid in partitions if collection in COLLECTIONS and uid]

    assert [reference for reference in references if reference[1] not in IDS[COLLECTIONS[reference[0]].kind]] == []
    assert {collection for collection, _ in references} >= {
        *("ontology_terms", "genes", "motifs", "files_filesets", "studies", "coding_variants", "genomic_elements"),
    }


def test_every_value_of_a_field_with_valid_values_is_one():
    valid: dict[tuple[str, str], set[str]] = {}
    for endpoint in catalog.endpoints().values():
        for name, values in endpoint.parameters.items():
            if isinstance(values, tuple):
                valid.setdefault((endpoint.edge, name), set()).update(values)
    counter = Counter()
    for row in EDGES:
        for name, value in row.values.items():
            if (row.collection, name) in valid:
                values = value if isinstance(value, list) else [str(value).lower() if value is True else value]
                is_negative = name == "significant" and value is False
                assert is_negative or set(values) <= valid[row.collection, name], row
                counter[name] += 1

    assert counter.keys() >= {
        *("ancestry", "assertion", "class", "crispr_modality", "detection_method", "interaction_type", "label"),
        *("method", "phenotype_categories", "significant", "source"),
    }


def test_a_source_is_one_of_the_edges_sources():
    message: dict[str, set[str]] = {}
    for endpoint in catalog.endpoints().values():
        message.setdefault(endpoint.edge, set()).update(endpoint.sources)

    assert {row.values["source"] for row in EDGES if "source" in row.values} >= {"AFGR", "EBI", "TopLD", "UKB"}
    for row in EDGES:
        assert row.fields.get("source") in message[row.collection] | {None}, row


def test_types_and_words_of_entities_are_the_catalogs():
    types = {name: endpoint.parameters for name, endpoint in catalog.endpoints().items()}

    for collection, path, field, name in (
        ("genes", "/genes", "gene_type", "gene_type"),
        ("genes", "/genes", "collections", "collection"),
        ("genes", "/genes", "study_sets", "study_set"),
        ("transcripts", "/transcripts", "transcript_type", "transcript_type"),
        ("variants", "/variants", "strain", "mouse_strain"),
        ("ontology_terms", "/ontology-terms", "source", "source"),
        ("motifs", "/motifs", "source", "source"),
        *(("genomic_elements", "/genomic-elements", *[name] * 2) for name in ("type", "method", "source")),
        ("genomic_elements", "/genomic-elements", "source_annotation", "source_annotation"),
        *(("files_filesets", "/files-filesets", *[name] * 2) for name in ("lab", "method", "class", "source")),
    ):
        values = [row[field] for row in ROWS[collection] if row[field]]
        words = {word for value in values for word in (value if isinstance(value, list) else [value])}
        assert words <= set(types[path][name]), (collection, field)
        assert words
    frequencies = {key for variant in ROWS["variants"] for key in variant["annotations"]} - {"GENCODE_category"}
    assert frequencies <= set(types["/variants/freq"]["source"])
    assert {motif["source"] for motif in ROWS["motifs"]} == set(types["/motifs"]["source"])
    for term in ROWS["ontology_terms"]:
        prefix = term["term_id"].partition("_")[0]
        assert term["source"] == SOURCES.get(prefix, prefix)
        assert bool(term["subontology"]) == (prefix == "GO")


def test_places_lie_on_their_chromosome():
    for gene in (*ROWS["genes"], *ROWS["transcripts"], *ROWS["genomic_elements"]):
        chromosomes = ASSEMBLIES[ORGANISMS[gene["organism"]]].chromosomes
        chromosome = chromosomes[gene["chr"].removeprefix("chr").replace("M", "MT")]
        assert 0 <= gene["start"] < gene["end"] <= chromosome.length, gene["_id"]
    for variant in ROWS["variants"]:
        organism, chromosome, position = place_of(variant["spdi"])
        assert (organism, f"chr{chromosome}") == (ORGANISMS[variant["organism"]], variant["chr"])
        assert variant["spdi"].split(":")[1:] == [str(variant["pos"]), variant["ref"], variant["alt"]]
        assert 1 <= position <= ASSEMBLIES[organism].chromosomes[chromosome].length


def test_transcripts_and_proteins_are_of_their_gene():
    genes_of = {row.object: row.subject for row in rows("gene_protein")}

    gene_of = {row.object: row.subject for row in rows("gene_transcript")}
    for transcript in ROWS["transcripts"]:
        gene = GENES[gene_of[transcript["_id"]]]
        assert gene["start"] <= transcript["start"] < transcript["end"] <= gene["end"], transcript["_id"]
        assert [transcript[name] for name in ("chr", "organism", "strand")] == [
            gene[name] for name in ("chr", "organism", "strand")
        ]
    for protein in ROWS["proteins"]:
        gene = GENES[genes_of[protein["_id"]]]
        assert [protein[name] for name in ("name", "chr", "organism")] == [
            gene[name] for name in ("name", "chr", "organism")
        ]
    for row in rows("transcript_protein"):
        assert gene_of[row.subject] == genes_of[row.object]
    for change in ROWS["coding_variants"]:
        assert (
            change["gene_name"]
            == GENES[gene_of[change["transcript_id"]]]["name"]
            == GENES[genes_of[change["protein_id"]]]["name"]
        )
    for symbol, count in {"BRCA1": 3, "TP53": 3, "CTCF": 4, "ATF1": 1, "PAH": 1, "AGT": 1, "Trp53": 1}.items():
        assert len(rows("gene_transcript", subject=SYMBOLS[symbol])) >= count
        assert len(rows("gene_protein", subject=SYMBOLS[symbol])) >= min(count, 2)


def test_the_name_of_an_element_contains_its_half_open_place():
    pairs = [
        (genomic_element, POSITION.search(genomic_element["_id"]))
        for genomic_element in ROWS["genomic_elements"]
        if "GRCh38" in genomic_element["_id"]
    ]

    assert len(pairs) > 20
    for element, match in pairs:
        chromosome, start, end = [group for group in match.groups() if group]
        place = (f"chr{chromosome}", int(start), int(end))
        assert (element["chr"], element["start"], element["end"]) == place, element["_id"]


def test_spdi_hgvs_and_category_of_a_variant_agree():
    snvs = changed = 0
    for variant in ROWS["variants"]:
        accession, position, deleted, inserted = variant["spdi"].split(":")
        single = SNV.fullmatch(variant["hgvs"] or "")
        if single:
            assert single.groups() == (accession, str(int(position) + 1), deleted, inserted)
            snvs += 1
        elif variant["hgvs"]:
            match = CHANGED.fullmatch(variant["hgvs"])
            first, last = int(match[2]), int(match[3] or match[2])
            length = last - first + 1
            assert match[1] == accession
            assert int(position) + 1 <= first <= last <= int(position) + len(deleted)
            assert {"del": -length, "dup": length}.get(match[4], 0) == len(inserted) - len(deleted)
            assert match[5] == (inserted if match[4] == "delins" else "")
            changed += 1
        else:
            assert len(deleted) != len(inserted)
        frequencies = dict(variant["annotations"])
        assert bool(frequencies.pop("GENCODE_category")) == (variant["organism"] == "Homo sapiens")
        assert all(0 < value < 1 for value in frequencies.values())

    assert snvs > 80
    assert changed >= 5


def test_ids_of_variants_stand_for_one_allele_or_one_position():
    allele_ids = [variant["ca_id"] for variant in ROWS["variants"] if variant["ca_id"]]
    positions: dict[str, set[str]] = {}
    for variant in ROWS["variants"]:
        for rsid in variant["rsid"] or ():
            positions.setdefault(rsid, set()).add(variant["spdi"].rsplit(":", 1)[0])

    assert len(set(allele_ids)) == len(allele_ids)
    assert all(re.fullmatch(r"CA\d{5,}", allele_id) for allele_id in allele_ids)
    assert all(re.fullmatch(r"rs\d+", rsid) and len(places) == 1 for rsid, places in positions.items())
    assert len(variant_of("rs334")) == 3


def test_p_values_agree_but_for_one_row():
    pair = [row for row in EDGES if {"p_value", "neg_log10_pvalue"} <= row.values.keys()]
    wrong = [
        row
        for row in pair
        if not math.isclose(-math.log10(row.fields["p_value"]), row.fields["neg_log10_pvalue"], abs_tol=0.05)
    ]

    assert len(pair) > 10
    assert [(row.subject, row.object) for row in wrong] == [(variant_of("rs5050")[0], SYMBOLS["AGT"])]


def test_one_base_pair_disagrees_with_its_spdi():
    pairs = [
        (row.fields[f"variant_{number}_base_pair"], uid.split(":", 2)[2])
        for row in rows("variant_variant")
        for number, uid in ((1, row.subject), (2, row.object))
    ]

    assert [pair for pair in pairs if pair[0] != pair[1]] == [("C:T", "C:G")]


def test_articles_are_written_as_each_source_writes_them():
    links = ("variant_disease", "protein_protein", "gene_gene")

    for row in EDGES:
        form = r"http://pubmed\.ncbi\.nlm\.nih\.gov/\d+" if row.collection in links else r"\d+"
        assert all(re.fullmatch(form, pmid) for pmid in row.values.get("pmids", [])), row
    assert sum(bool(row.values.get("pmids")) for row in EDGES) > 20


@pytest.mark.parametrize(
    ("synonym", "symbols"),
    [("P53", {"TP53"}), ("C1orf112", {"FIRRM"}), ("CBF-A", {"NFYA", "NFYB"}), ("CAP1", {"PRSS8"})],
)
def test_a_synonym_belongs_to_its_genes(synonym, symbols):  # and CAP1 is a symbol besides
    assert {gene["name"] for gene in ROWS["genes"] if synonym in (gene["synonyms"] or ())} == symbols


def test_questions_that_users_ask_have_answers():
    liver = {row.object for row in rows("variant_gene", label="eQTL", biological_context="liver")}
    eye = {row.subject for row in rows("gene_disease", object="Orphanet_101435")}
    values = [row.fields["neg_log10_pvalue"] for row in rows("variant_gene", label="eQTL") if row.object in eye]
    brca1 = [row.fields["score"] for row in rows("element_gene", object=SYMBOLS["BRCA1"], method="ENCODE-rE2G")]
    coexpressed_rows = [
        row for row in rows("gene_gene", label="co-expression") if "ENSG00000012048" in (row.subject, row.object)
    ]
    lupus = rows("variant_phenotype", object="MONDO_0007915")

    assert len(rows("variant_gene", biosample_term="ontology_terms/UBERON_0002107")) >= 6
    assert len(liver) >= 6
    assert len(eye) >= 3
    assert len(set(values)) == len(values) >= 8
    assert sum(score > 0.7 for score in brca1) == 3
    assert 0.7 in brca1
    assert len(coexpressed_rows) >= 8
    assert min(row.fields["z_score"] for row in coexpressed_rows) < 0
    assert len({row.subject for row in lupus}) >= 3
    assert any(row.fields["lead_pos"] != place_of(row.subject)[2] for row in lupus)
    assert len(rows("variant_gene", object=SYMBOLS["BRCA1"])) >= 8
    assert len(rows("variant_gene", object=SYMBOLS["TP53"])) >= 3
    assert len({row.object for row in rows("variant_gene", subject="NC_000020.11:3658947:A:G")}) >= 2
    assert len(rows("variant_gene", subject=variant_of("rs6994300")[0])) == 1
    assert rows("variant_disease", subject="NC_000012.12:102917129:T:C", assertion="Pathogenic")


def test_elements_lie_over_the_variants_that_users_ask_about():
    assert len(elements_over("rs62513865")) == 1
    assert len(elements_over("rs6994300")) == 2
    assert len(elements_over("rs7417106")) == 3
    assert elements_over("rs12740374") == {
        row.subject for row in rows("predicted_element_gene", cell_type="liver", score=0.88)
    }


def test_one_position_has_two_alleles_and_neighbours():
    words = Counter(place for place in map(place_of, IDS["variant"]) if place[1] == "16" and 19e6 < place[2] < 21e6)

    assert words == {("human", "16", 19999999): 1, ("human", "16", 20000000): 2, ("human", "16", 20000001): 1}


def test_variants_are_spread_over_several_windows():
    spread = sorted(place[2] for place in map(place_of, IDS["variant"]) if place[1] == "1" and 96e4 < place[2] < 1e6)
    variants = [variant for variant in ROWS["variants"] if variant["chr"] == "chr17" and ":430" in variant["spdi"]]

    assert len(spread) >= 12
    assert spread[-1] - spread[0] > 30000
    assert {variant["annotations"]["GENCODE_category"] for variant in variants} == {"coding", "noncoding"}
    assert sum(len(variant["annotations"]) > 1 for variant in variants) >= 5


def test_a_row_of_a_file_says_only_what_the_usual_row_does_not():
    for file in (resources.files(igvf) / "starter").iterdir():
        if file.name.endswith(".jsonl"):
            usual, *other_values = (json.loads(line) for line in file.read_text("utf-8").splitlines())
            pairs = [(row, name) for row in other_values for name in row if (name, row[name]) in usual.items()]
            assert pairs == [], file.name
            assert other_values, file.name
