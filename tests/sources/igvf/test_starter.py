"""The starter facts: whole and consistent."""

import math
import re
from collections import Counter
from dataclasses import fields

import pytest

from biofact.dialects.genomic.genomes import ASSEMBLIES, chromosome_of
from biofact.sandbox.services.igvf import starters
from biofact.sandbox.services.igvf.facts import EdgeFacts
from biofact.sandbox.services.igvf.starters import starter_facts
from biofact.sources.igvf import catalog

FACTS = starter_facts()
GENES = {gene.id: gene for gene in FACTS.genes}
SYMBOLS = {gene.symbol: gene.id for gene in FACTS.genes}
TRANSCRIPTS = {transcript.id: transcript for transcript in FACTS.transcripts}
KINDS = (
    *("gene", "transcript", "protein", "variant", "coding_variant", "term", "drug", "complex", "study", "pathway"),
    *("motif", "element", "dataset"),
)
"""What the fields of the facts hold, in their order; edges come last."""
IDS = {
    kind: [each.spdi if kind == "variant" else each.id for each in getattr(FACTS, field.name)]
    for kind, field in zip(KINDS, fields(FACTS)[:-1], strict=True)
}
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
"""Of terms, where they are not the prefix."""
SNV = re.compile(r"(NC_\d+\.\d+):g\.(\d+)([ACGT])>([ACGT])")
CHANGED = re.compile(r"(NC_\d+\.\d+):g\.(\d+)(?:_(\d+))?(del|dup|delins)([ACGT]*)")
WHERE = re.compile(r"chr(\w+?)_(\d+)_(\d+)_GRCh38.*|accessible_dna_element_(\w+?)_(\d+)_(\d+)_GRCh38_AFGR")
ASKED = {endpoint.edge for endpoint in catalog.endpoints().values() if endpoint.edge and not endpoint.why}


def rows(edge: str, **wanted: object) -> list[EdgeFacts]:
    """The rows of an edge that have these ends and fields."""
    told = ({"subject": row.subject, "object": row.object, **row.fields} for row in FACTS.edges)
    pairs = zip(FACTS.edges, told, strict=True)
    return [row for row, cells in pairs if row.edge == edge and wanted.items() <= cells.items()]


def variant_of(rsid: str) -> list[str]:
    return [variant.spdi for variant in FACTS.variants if rsid in variant.rsids]


def place_of(spdi: str) -> tuple[str, str, int]:
    """Organism, chromosome and first position, 1-based."""
    accession, position, _, _ = spdi.split(":")
    organism, chromosome = chromosome_of(accession)
    return organism, chromosome, int(position) + 1


def elements_over(rsid: str) -> set[str]:
    _, chromosome, position = place_of(variant_of(rsid)[0])
    return {
        element.id
        for element in FACTS.elements
        if element.chromosome == chromosome and element.start <= position <= element.end
    }


def test_there_is_enough_of_everything():
    human = {element.id for element in FACTS.elements if element.organism == "human"}
    edges = Counter(row.edge for row in FACTS.edges)

    assert sum(gene.organism == "human" for gene in FACTS.genes) >= 60
    assert sum(gene.organism == "mouse" for gene in FACTS.genes) >= 10
    assert len(FACTS.variants) >= 40
    assert sum(bool(variant.strains) for variant in FACTS.variants) >= 4
    assert len(FACTS.terms) >= 40
    assert len(FACTS.studies) >= 3
    assert len(human) >= 25
    assert len(FACTS.elements) - len(human) >= 5
    assert len(FACTS.edges) - edges["gene_transcript"] - edges["gene_protein"] - edges["transcript_protein"] >= 150
    assert edges.keys() == ASKED


@pytest.mark.parametrize("kind", IDS)
def test_ids_are_well_formed_and_stand_for_one_thing(kind):
    ids = IDS[kind]

    assert ids
    assert len(set(ids)) == len(ids)
    assert [each for each in ids if not re.fullmatch(FORMS[kind], each)] == []


def test_the_ends_of_every_edge_are_there_and_of_its_kinds():
    for row in FACTS.edges:
        edge = catalog.edges()[row.edge]
        assert row.subject in IDS[edge.subject.kind], row
        assert row.object in IDS[edge.object.kind], row


def test_every_edge_joins_one_organism():
    organisms = {gene.id: gene.organism for gene in FACTS.genes}
    organisms |= {each.id: each.organism for each in (*FACTS.transcripts, *FACTS.proteins, *FACTS.elements)}
    organisms |= {variant.spdi: variant.organism for variant in FACTS.variants}

    for row in FACTS.edges:
        ends = {organisms[end] for end in (row.subject, row.object) if end in organisms}
        starts = [endpoint.organisms for endpoint in catalog.endpoints().values() if endpoint.edge == row.edge]
        assert len(ends) <= 1, row
        assert ends <= {name for names in starts for name in names}, row


def test_every_field_that_names_something_names_what_is_there():
    kinds = {"ontology_terms": "term", "genes": "gene", "motifs": "motif", "files_filesets": "dataset"}
    named = [(row, name, value) for row in FACTS.edges for name, value in row.fields.items() if isinstance(value, str)]

    for row, name, value in named:
        collection, slash, key = value.partition("/")
        if slash and collection in kinds:
            assert key in IDS[kinds[collection]], row
        for field, kind in (("study", "study"), ("coding_variant", "coding_variant"), ("genomic_element", "element")):
            assert name != field or value in IDS[kind], row
    assert {value.partition("/")[0] for _, _, value in named} >= kinds.keys()


def test_every_value_of_a_field_with_valid_values_is_one():
    valid: dict[tuple[str, str], set[str]] = {}
    for endpoint in catalog.endpoints().values():
        for name, values in endpoint.parameters.items():
            if isinstance(values, tuple):
                valid.setdefault((endpoint.edge, name), set()).update(values)
    compared = Counter()
    for row in FACTS.edges:
        for name, value in row.fields.items():
            if (row.edge, name) in valid:
                values = value if isinstance(value, list) else [str(value).lower() if value is True else value]
                is_negative = name == "significant" and value is False
                assert is_negative or set(values) <= valid[row.edge, name], row
                compared[name] += 1

    assert compared.keys() >= {
        *("ancestry", "assertion", "class", "crispr_modality", "detection_method", "interaction_type", "label"),
        *("method", "name", "phenotype_categories", "phenotype_name", "significant", "source"),
    }


def test_a_source_is_one_of_the_edges_sources():
    told: dict[str, set[str]] = {}
    for endpoint in catalog.endpoints().values():
        told.setdefault(endpoint.edge, set()).update(endpoint.sources)

    assert {row.fields["source"] for row in FACTS.edges if "source" in row.fields} >= {"AFGR", "EBI", "TopLD", "UKB"}
    for row in FACTS.edges:
        assert row.fields.get("source") in told[row.edge] | {None}, row


def test_types_and_words_of_entities_are_the_catalogs():
    types = {name: endpoint.parameters for name, endpoint in catalog.endpoints().items()}

    assert {gene.type for gene in FACTS.genes} <= set(types["/genes"]["gene_type"])
    assert {name for gene in FACTS.genes for name in gene.collections} <= set(types["/genes"]["collection"])
    assert {name for gene in FACTS.genes for name in gene.study_sets} <= set(types["/genes"]["study_set"])
    assert {each.type for each in FACTS.transcripts} <= set(types["/transcripts"]["transcript_type"])
    assert {name for each in FACTS.variants for name in each.strains} <= set(types["/variants"]["mouse_strain"])
    assert {key for each in FACTS.variants for key in each.frequencies} <= set(types["/variants/freq"]["source"])
    assert {term.source for term in FACTS.terms} <= set(types["/ontology-terms"]["source"])
    assert {motif.source for motif in FACTS.motifs} == set(types["/motifs"]["source"])
    for name in ("type", "method", "source"):
        assert {getattr(element, name) for element in FACTS.elements} <= set(types["/genomic-elements"][name])
    notes = set(types["/genomic-elements"]["source_annotation"])
    assert {element.annotation for element in FACTS.elements} <= {*notes, ""}
    for name, field in (("lab", "lab"), ("method", "method"), ("class", "kind"), ("source", "source")):
        assert {getattr(each, field) for each in FACTS.datasets} <= set(types["/files-filesets"][name])
    for term in FACTS.terms:
        prefix = term.id.partition("_")[0]
        assert term.source == SOURCES.get(prefix, prefix)
        assert bool(term.subontology) == (prefix == "GO")


def test_places_lie_on_their_chromosome():
    for each in (*FACTS.genes, *FACTS.transcripts, *FACTS.elements):
        assert 1 <= each.start <= each.end <= ASSEMBLIES[each.organism].chromosomes[each.chromosome].length, each.id
    for variant in FACTS.variants:
        organism, chromosome, position = place_of(variant.spdi)
        assert organism == variant.organism
        assert 1 <= position <= ASSEMBLIES[organism].chromosomes[chromosome].length


def test_transcripts_and_proteins_are_of_their_gene():
    genes_of = {row.object: row.subject for row in rows("gene_protein")}

    for transcript in FACTS.transcripts:
        gene = GENES[transcript.gene]
        assert gene.start <= transcript.start <= transcript.end <= gene.end, transcript.id
        assert (transcript.chromosome, transcript.organism) == (gene.chromosome, gene.organism)
    for protein in FACTS.proteins:
        assert protein.name == GENES[genes_of[protein.id]].symbol
    for row in rows("transcript_protein"):
        assert TRANSCRIPTS[row.subject].gene == genes_of[row.object]
    for change in FACTS.coding_variants:
        assert (
            change.gene_name
            == GENES[TRANSCRIPTS[change.transcript].gene].symbol
            == GENES[genes_of[change.protein]].symbol
        )
    for symbol, count in {"BRCA1": 3, "TP53": 3, "CTCF": 4, "ATF1": 1, "PAH": 1, "AGT": 1, "Trp53": 1}.items():
        assert len(rows("gene_transcript", subject=SYMBOLS[symbol])) >= count
        assert len(rows("gene_protein", subject=SYMBOLS[symbol])) >= min(count, 2)


def test_the_name_of_an_element_tells_its_place_half_open():
    named = [(each, WHERE.search(each.id)) for each in FACTS.elements if "GRCh38" in each.id]

    assert len(named) > 20
    for element, match in named:
        chromosome, start, end = [group for group in match.groups() if group]
        assert (element.chromosome, element.start, element.end) == (chromosome, int(start) + 1, int(end)), element.id


def test_spdi_hgvs_and_category_of_a_variant_agree():
    snvs = changed = 0
    for variant in FACTS.variants:
        accession, position, deleted, inserted = variant.spdi.split(":")
        single = SNV.fullmatch(variant.hgvs)
        if single:
            assert single.groups() == (accession, str(int(position) + 1), deleted, inserted)
            snvs += 1
        elif variant.hgvs:
            match = CHANGED.fullmatch(variant.hgvs)
            first, last = int(match[2]), int(match[3] or match[2])
            length = last - first + 1
            assert match[1] == accession
            assert int(position) + 1 <= first <= last <= int(position) + len(deleted)
            assert {"del": -length, "dup": length}.get(match[4], 0) == len(inserted) - len(deleted)
            assert match[5] == (inserted if match[4] == "delins" else "")
            changed += 1
        else:
            assert len(deleted) != len(inserted)
        assert bool(variant.category) == (variant.organism == "human")
        assert all(0 < value < 1 for value in variant.frequencies.values())

    assert snvs > 80
    assert changed >= 5


def test_ids_of_variants_stand_for_one_allele_or_one_position():
    allele_ids = [variant.ca_id for variant in FACTS.variants if variant.ca_id]
    positions: dict[str, set[str]] = {}
    for variant in FACTS.variants:
        for rsid in variant.rsids:
            positions.setdefault(rsid, set()).add(variant.spdi.rsplit(":", 1)[0])

    assert len(set(allele_ids)) == len(allele_ids)
    assert all(re.fullmatch(r"CA\d{5,}", each) for each in allele_ids)
    assert all(re.fullmatch(r"rs\d+", rsid) and len(places) == 1 for rsid, places in positions.items())
    assert len(variant_of("rs334")) == 3


def test_p_values_agree_but_for_one_row():
    both = [row for row in FACTS.edges if {"p_value", "neg_log10_pvalue"} <= row.fields.keys()]
    wrong = [
        row
        for row in both
        if not math.isclose(-math.log10(row.fields["p_value"]), row.fields["neg_log10_pvalue"], abs_tol=0.05)
    ]

    assert len(both) > 10
    assert [(row.subject, row.object) for row in wrong] == [(variant_of("rs5050")[0], SYMBOLS["AGT"])]


def test_one_base_pair_disagrees_with_its_spdi():
    told = [row for row in rows("variant_variant") if "variant_1_base_pair" in row.fields]

    assert [row.subject.split(":", 2)[2] for row in told] == ["C:G"]
    assert told[0].fields["variant_1_base_pair"] == "C:T"


def test_articles_are_written_as_each_source_writes_them():
    links = ("variant_disease", "protein_protein", "gene_gene")

    for row in FACTS.edges:
        form = r"http://pubmed\.ncbi\.nlm\.nih\.gov/\d+" if row.edge in links else r"\d+"
        assert all(re.fullmatch(form, each) for each in row.fields.get("pmids", [])), row
    assert sum(bool(row.fields.get("pmids")) for row in FACTS.edges) > 20


@pytest.mark.parametrize(
    ("synonym", "symbols"),
    [("P53", {"TP53"}), ("C1orf112", {"FIRRM"}), ("CBF-A", {"NFYA", "NFYB"}), ("CAP1", {"PRSS8"})],
)
def test_a_synonym_belongs_to_its_genes(synonym, symbols):  # and CAP1 is a symbol besides
    assert {gene.symbol for gene in FACTS.genes if synonym in gene.synonyms} == symbols


def test_questions_that_users_ask_have_answers():
    liver = {row.object for row in rows("variant_gene", label="eQTL", biological_context="liver")}
    eye = {row.subject for row in rows("gene_disease", object="Orphanet_101435")}
    values = [row.fields["neg_log10_pvalue"] for row in rows("variant_gene", label="eQTL") if row.object in eye]
    brca1 = [row.fields["score"] for row in rows("element_gene", object=SYMBOLS["BRCA1"], method="ENCODE-rE2G")]
    coexpressed = [
        row for row in rows("gene_gene", label="co-expression") if "ENSG00000012048" in (row.subject, row.object)
    ]
    lupus = rows("variant_phenotype", object="MONDO_0007915")

    assert len(rows("variant_gene", biosample_term="ontology_terms/UBERON_0002107")) >= 6
    assert len(liver) >= 6
    assert len(eye) >= 3
    assert len(set(values)) == len(values) >= 8
    assert sum(score > 0.7 for score in brca1) == 3
    assert 0.7 in brca1
    assert len(coexpressed) >= 8
    assert min(row.fields["z_score"] for row in coexpressed) < 0
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
    near = Counter(place for place in map(place_of, IDS["variant"]) if place[1] == "16" and 19e6 < place[2] < 21e6)

    assert near == {("human", "16", 19999999): 1, ("human", "16", 20000000): 2, ("human", "16", 20000001): 1}


def test_variants_are_spread_over_several_windows():
    spread = sorted(place[2] for place in map(place_of, IDS["variant"]) if place[1] == "1" and 96e4 < place[2] < 1e6)
    inside = [each for each in FACTS.variants if place_of(each.spdi)[1] == "17" and ":430" in each.spdi]

    assert len(spread) >= 12
    assert spread[-1] - spread[0] > 30000
    assert {variant.category for variant in inside} == {"coding", "noncoding"}
    assert sum(bool(variant.frequencies) for variant in inside) >= 5


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rs5050\tPA448497", "below a line '@edge'"),
        ("@variant_drug\nrs5050", "expected a subject and an object"),
        ("@variant_drug\nrs5050\tpmid=1", "expected a subject and an object"),
        ("@variant_drug\nrs5050\tPA448497\tToxicity", "expected a form like 'z_score=1.5'"),
        ("@variant_drug\nrs5050\tPA448497\tpmids=[1", "is not JSON"),
    ],
)
def test_a_bad_row_of_an_edge_says_what_was_expected(line, expected):
    with pytest.raises(ValueError, match=expected):
        list(starters._edges(iter(line.splitlines()), "made.tsv"))


def test_a_value_is_json_where_it_reads_as_such():
    lines = ["@variant_drug\tsource=pharmGKB\tscore=1", 'a\tb\tscore=0.5\tpmid="1"\tlist=["x"]\tmethod=SGE', "c\td"]

    first, second = starters._edges(iter(lines), "made.tsv")

    assert first.fields == {"source": "pharmGKB", "score": 0.5, "pmid": "1", "list": ["x"], "method": "SGE"}
    assert second.fields == {"source": "pharmGKB", "score": 1}


def test_a_bad_cell_says_what_was_expected():
    with pytest.raises(ValueError, match="expected a form like '17:43044295-43170245:-'"):
        starters._gene(["ENSG00000012048", "BRCA1", "chr17:1-2", "protein_coding", "", "", "", ""])
    with pytest.raises(ValueError, match=r"expected one of genes\.tsv"):
        starters._transcript(["ENST00000357654", "", "ENSG00000999999", "", "protein_coding", ""], GENES)
    with pytest.raises(ValueError, match="expected a form like '43044295-43125364'"):
        starters._transcript(["ENST00000357654", "", "ENSG00000012048", "1", "protein_coding", ""], GENES)
    with pytest.raises(ValueError, match="expected 'yes' or '-'"):
        starters._transcript(["ENST00000357654", "", "ENSG00000012048", "", "protein_coding", "true"], GENES)
    with pytest.raises(ValueError, match=r"expected a form like 'gnomad_af_total=0\.25'"):
        starters._variant(["NC_000017.11:1:A:G", "", "", "", "", "0.25", ""])
    with pytest.raises(ValueError, match=r"expected one like 0\.5"):
        starters._variant(["NC_000017.11:1:A:G", "", "", "", "", "gnomad_af_total=rare", ""])
    with pytest.raises(ValueError, match="expected one like 42"):
        starters._motif(["CTCF_SEMpl", "CTCF", "long", "IGVF"])
    with pytest.raises(ValueError, match=r"expected one of transcripts\.tsv"):
        list(starters._structure((), [["ENSP00000350283", "ENSG00000012048", "ENST00000357654"]]))
