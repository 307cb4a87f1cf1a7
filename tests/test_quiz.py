"""Questions of the kind that database quizzes ask, answered over MCP by a mechanical caller.

It calls the first tool, and if that is not enough a second one with the ID of the best row: an agent has to know only
which tool to call. Expected answers are facts of the databases, written by hand and not read off our answers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from tests import virtual_time
from tests.served import served

pytestmark = pytest.mark.quick

BEST = "the ID of the best row"
"""A placeholder in the arguments of a second call."""

Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class Quiz:
    """A question, and the path of its answer."""

    question: str
    calls: tuple[tuple[str, Arguments], ...]
    path: str
    """A path in the last answer; ``*`` is any element of a list."""
    answer: Any


def value_at(value, path):
    """Every value at a path."""
    if not path:
        return [value]
    name, *rest = path
    if name == "*":
        return [leaf for part in value for leaf in value_at(part, rest)]
    part = value[int(name)] if isinstance(value, list) else value.get(name)
    return [] if part is None else value_at(part, rest)


def gene_at_ensembl(name, **options):
    return ("ensembl_search_genes", {"query": name, **options})


def gene_at_ncbi(name, **options):
    return ("entrez_search_genes", {"query": name, "slim": True, **options})


def compound(name):
    return ("chembl_search_compounds", {"query": name, "slim": True})


OF_NCBI = ("entrez_get_gene", {"entrez_id": BEST})

QUIZ = [
    # Where is it?
    Quiz("On which chromosome is TP53?", (gene_at_ensembl("TP53"),), "items.0.chromosome", "17"),
    Quiz("Where does BRCA2 start on GRCh38?", (gene_at_ensembl("BRCA2"),), "items.0.start", 32315086),
    Quiz("Where does BRCA2 end?", (gene_at_ensembl("BRCA2"),), "items.0.end", 32400268),
    Quiz("On which strand is p53?", (gene_at_ensembl("p53", species="human"),), "items.0.strand", -1),
    Quiz("In which band is BRCA1?", (gene_at_ncbi("BRCA1"), OF_NCBI), "map_location", "17q21.31"),
    Quiz(
        "Which gene lies at chr17:43,100,000?",
        (("igvf_search_region", {"region": "chr17:43,100,000-43,100,001", "include": ["genes"]}),),
        "genes.0.name",
        "BRCA1",
    ),
    # What is it called?
    Quiz("What is the approved symbol of HER2?", (gene_at_ncbi("HER2", organism="human"),), "items.0.symbol", "ERBB2"),
    Quiz("What is p53's number at NCBI?", (gene_at_ncbi("p53", organism="human"),), "items.0.id", "NCBIGene:7157"),
    Quiz("What is BRCA1's HGNC ID?", (gene_at_ncbi("BRCA1"), OF_NCBI), "cross_references.hgnc", "HGNC:1100"),
    Quiz(
        "Which UniProt entry is the protein of TP53?",
        (gene_at_ncbi("TP53"), OF_NCBI),
        "cross_references.uniprot.*",
        "UniProtKB:P04637",
    ),
    Quiz(
        "What is the mouse gene of TP53 called?",
        (gene_at_ensembl("TP53", species="mouse"),),
        "items.0.id",
        "ENSMUSG00000059552",
    ),
    # What is it made of?
    Quiz(
        "How many exons has the transcript ENST00000269305?",
        (("ensembl_get_transcript", {"transcript_id": "ENST00000269305"}),),
        "exon_count",
        11,
    ),
    Quiz(
        "How many amino acids has its protein?",
        (("ensembl_get_transcript", {"transcript_id": "ENST00000269305"}),),
        "translation.length",
        393,
    ),
    Quiz(
        "Which RefSeq transcript is its MANE Select?",
        (("ensembl_get_transcript", {"transcript_id": "ENST00000269305"}),),
        "mane_select",
        "NM_000546.6",
    ),
    # Which drug?
    Quiz("What is Gleevec?", (compound("Gleevec"),), "items.0.name", "IMATINIB"),
    Quiz("What is the formula of aspirin?", (compound("aspirin"),), "items.0.molecular_formula", "C9H8O4"),
    Quiz(
        "How heavy is aspirin?",
        (compound("aspirin"), ("chembl_get_compound", {"chembl_id": BEST})),
        "molecular_weight",
        180.16,
    ),
    Quiz(
        "What does erlotinib inhibit?",
        (compound("erlotinib"), ("chembl_get_compound", {"chembl_id": BEST, "include": ["mechanisms"]})),
        "mechanisms.*.target",
        "CHEMBL:203",
    ),
    Quiz(
        "Which drugs work on EGFR, UniProt P00533?",
        (("chembl_find_compounds_for_target", {"target_id": "UniProtKB:P00533"}),),
        "items.*.name",
        "GEFITINIB",
    ),
    Quiz(
        "Which drug resembles aspirin?",
        (compound("aspirin"), ("chembl_search_structures", {"structure": BEST})),
        "items.*.name",
        "ASPIRIN DL-LYSINE",
    ),
    Quiz(
        "Which drugs work on the EGF receptor?",
        (("chembl_search_targets", {"query": "EGFR"}), ("chembl_find_compounds_for_target", {"target_id": BEST})),
        "items.*.name",
        "ERLOTINIB",
    ),
    # What does it do?
    Quiz(
        "What does p53 do in the cell?",
        (gene_at_ncbi("p53"), ("entrez_get_gene", {"entrez_id": BEST, "include": ["go_terms"]})),
        "go_terms.*.id",
        "GO:0003677",  # binds DNA
    ),
    Quiz(
        "Which condition comes with BRCA1?",
        (gene_at_ncbi("BRCA1"), ("entrez_get_gene", {"entrez_id": BEST, "include": ["phenotypes"]})),
        "phenotypes.*.omim_ids.*",
        "604370",
    ),
    Quiz(
        "Which paper speaks of p53's function?",
        (gene_at_ncbi("p53"), ("entrez_get_generifs", {"entrez_id": BEST})),
        "items.0.pmids.*",
        "PMID:99000145",
    ),
    Quiz(
        "What is p53 called in the mouse?",
        (gene_at_ensembl("TP53"), ("ensembl_get_homologues", {"ensembl_id": BEST, "species": "mouse"})),
        "items.*.id",
        "ENSMUSG00000059552",
    ),
    # Where is it on the other assembly, and what stands there?
    Quiz(
        "Where was chr17:43,044,295 on GRCh37?",
        (
            (
                "ensembl_map_region",
                {"region": "17:43044295-43125364", "from_assembly": "GRCh38", "to_assembly": "GRCh37"},
            ),
        ),
        "segments.0.start",
        41196312,
    ),
    Quiz(
        "How long is the protein of KRAS?",
        (gene_at_ensembl("KRAS"), ("ensembl_get_sequence", {"id_or_region": BEST, "type": "protein"})),
        "length",
        188,  # of its canonical transcript, which is 4B
    ),
    # Which variant, which disease?
    Quiz(
        "Which gene is nearest to rs80357906?",
        (("igvf_find_associations", {"entity_id": "rs80357906", "relationship": "nearest_genes"}),),
        "items.0.object_name",
        "BRCA1",
    ),
    Quiz(
        "Which gene causes phenylketonuria, misspelt?",
        (
            ("igvf_search_terms", {"query": "phenylketonurea"}),
            ("igvf_find_associations", {"entity_id": BEST, "relationship": "genetic"}),
        ),
        "items.*.subject_name",
        "PAH",
    ),
    Quiz("Which allele is rs80357906?", (("igvf_get_entity", {"id": "rs80357906"}),), "chromosome", "17"),
    Quiz(
        "What disease does PAH cause?",
        (("igvf_find_associations", {"entity_id": "PAH", "relationship": "genetic"}),),
        "items.*.object_name",
        "phenylketonuria",
    ),
    # Which paper?
    Quiz(
        "Which trial showed that lifestyle beats metformin?",
        (("pubmed_search", {"search_query": "lifestyle metformin diabetes incidence", "slim": True}),),
        "articles.*.id",
        "PMID:11832527",
    ),
    Quiz(
        "In which year did it appear?",
        (("pubmed_get_articles", {"pmids": ["PMID:11832527"]}),),
        "items.0.year",
        2002,
    ),
]


def test_a_question_is_answered_in_two_calls_at_most():
    assert [quiz.question for quiz in QUIZ if len(quiz.calls) > 2] == []

    async def wrong_answers():
        async with served() as gateway:
            bodies = {quiz.question: await last_answer(gateway, quiz) for quiz in QUIZ}
        return {
            quiz.question: bodies[quiz.question]
            for quiz in QUIZ
            if quiz.answer not in value_at(bodies[quiz.question], quiz.path.split("."))
        }

    assert virtual_time.run(wrong_answers()) == {}


async def last_answer(gateway, quiz):
    body: dict[str, Any] = {}
    for tool, arguments in quiz.calls:
        best = value_at(body, ["items", "0", "id"])
        filled_arguments = {name: best[0] if value == BEST else value for name, value in arguments.items()}
        body = (await gateway.call(tool, filled_arguments)).body
    return body
