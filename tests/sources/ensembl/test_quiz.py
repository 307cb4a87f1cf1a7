"""Questions as in database quizzes, answered by a mechanical caller: a search, and one call with its first ID."""

import pytest

from tests import virtual_time
from tests.each_of import each_of
from tests.served import served

pytestmark = pytest.mark.quick

# Name or ID, the tool and what else it is asked, the field, the answer: positions read off Ensembl and dbSNP, counts
# off UniProt, orthologues off MGI and ZFIN. Letters of sequences are made up in the sandbox; their number is not.
QUIZ = [
    ("Where does KRAS start?", "KRAS", "get_gene", {}, "start", 25205246),
    ("Where does BRCA2 end?", "BRCA2", "get_gene", {}, "end", 32400268),
    ("On which chromosome is CFTR?", "CFTR", "get_gene", {}, "chromosome", "7"),
    ("On which strand is TP53?", "p53", "get_gene", {}, "strand", -1),
    ("How many amino acids has p53?", "TP53", "get_sequence", {"type": "protein"}, "length", 393),
    ("How long is the coding sequence of BRAF?", "BRAF", "get_sequence", {"type": "cds"}, "length", 2301),
    ("How many bases does MIR21 have?", "MIR21", "get_sequence", {}, "length", 72),
    ("What is Tp53 in mouse?", "TP53", "get_homologues", {"target_species": "mouse"}, "symbol", "Trp53"),
    ("What is TP53 in zebrafish?", "TP53", "get_homologues", {"target_species": "zebrafish"}, "symbol", "tp53"),
    ("What is HER1 in mouse?", "EGFR", "get_homologues", {"target_species": "mouse"}, "id", "ENSMUSG00000020122"),
    ("Is Kras one to one with KRAS?", "KRAS", "get_homologues", {"kind": "one_to_one"}, "type", "ortholog_one2one"),
    ("Which paralogue has TP53?", "TP53", "get_homologues", {"kind": "paralogues"}, "symbol", "TP63"),
]
DIRECT = [
    ("17:7578406", ("GRCh37", "GRCh38"), 7675088),
    ("7:140453136", ("hg19", "hg38"), 140753336),
    ("19:44908684", ("GRCh38", "GRCh37"), 45411941),
    ("chr12:25,398,284", ("hg19", "GRCh38"), 25245350),
    ("13:32889617", ("GRCh37", "GRCh38"), 32315480),
]
PARAMETER = {"get_gene": "ensembl_id", "get_sequence": "id_or_region", "get_homologues": "ensembl_id"}


@pytest.fixture(scope="module")
def gateway_asked():
    """Asks one gateway in one loop; each question is about another gene or tool."""
    loop = virtual_time.VirtualLoop()
    context = served()
    gateway = loop.run_until_complete(context.__aenter__())

    def ask(tool, arguments):
        return loop.run_until_complete(gateway.call(f"ensembl_{tool}", arguments)).body

    yield ask
    loop.run_until_complete(context.__aexit__(None, None, None))
    loop.close()


@each_of("case", QUIZ)
def test_a_question_takes_two_calls(gateway_asked, case):
    question, name, tool, options, field, answer = case
    result = gateway_asked("search_genes", {"query": name, "species": "human"})
    body = gateway_asked(tool, {**options, PARAMETER[tool]: result["items"][0]["id"]})

    assert (body["items"][0] if "items" in body else body)[field] == answer, question


@each_of(("region", "assemblies", "answer"), DIRECT)
def test_a_place_on_the_other_assembly_takes_one_call(gateway_asked, region, assemblies, answer):
    before, after = assemblies
    body = gateway_asked("map_region", {"region": region, "from_assembly": before, "to_assembly": after})

    assert body["segments"][0]["start"] == answer
