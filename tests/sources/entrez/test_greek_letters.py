"""Names with Greek letters, of those that the recorded gene files spell out: the gene with the name leads."""

import re
from collections import defaultdict

import pytest

from biofact.identity.resolver import Resolver
from biofact.sandbox.services.entrez.standin import stand_ins
from biofact.sources import clients
from tests import recordings, virtual_time
from tests.recordings import needs_recordings
from tests.sandboxed import WHOLE, transported
from tests.sources.named_genes import part_of_corpus

pytestmark = [pytest.mark.sweep, needs_recordings]

FILES = {
    "human": "bulk/Homo_sapiens.gene_info.gz",
    "mouse": "bulk/igvfsample_Mus_musculus.gene_info.gz",
    "zebrafish": "bulk/Danio_rerio.gene_info.gz",
}
LETTERS = {
    "alpha": "\u03b1",
    "beta": "\u03b2",
    "gamma": "\u03b3",
    "delta": "\u03b4",
    "epsilon": "\u03b5",
    "zeta": "\u03b6",
    "theta": "\u03b8",
    "eta": "\u03b7",
    "iota": "\u03b9",
    "kappa": "\u03ba",
    "lambda": "\u03bb",
    "nu": "\u03bd",
    "rho": "\u03c1",
    "sigma": "\u03c3",
    "tau": "\u03c4",
    "phi": "\u03c6",
    "chi": "\u03c7",
    "psi": "\u03c8",
}
"""Letters that the files spell out: no symbol or alias has omicron, upsilon or omega, and mu, xi and pi are parts of
other words."""
WORDS = "|".join(LETTERS)
SPELLED = re.compile(rf"(?:^|(?<=[-\d\sA-Z]))(?!(?<=[BZbz])(?i:eta))((?i:{WORDS}))(?=$|[-\d\s])")
OTHER_LETTER = re.compile(WORDS, re.IGNORECASE)
OF_A_LETTER = 2
ID = re.compile(r"NCBIGene:\d+")


def key(name):
    return re.sub(r"[-\s./]", "", name).lower()


def with_letter(name):
    """The name with a letter for its one spelled letter, and this; None for any other name."""
    match = SPELLED.search(name)
    letter = match[1].lower() if match and len(match[0]) < len(name) else None
    changed = SPELLED.sub(LETTERS[letter], name, count=1) if letter else name
    return None if letter is None or OTHER_LETTER.search(changed) else (letter, changed)


def symbols_of(organism):
    """Each symbol and alias of the file, with its GeneID."""
    for line in recordings.recording(FILES[organism]).decode().splitlines()[1:]:
        _, gene_id, symbol, _, aliases, _ = line.split("\t", 5)
        yield from ((name, gene_id) for name in (symbol, *aliases.split("|")))


def spelled_names(organism):
    """By name with a Greek letter, the GeneIDs of all genes that the file gives this symbol or alias: some names of
    each letter, from all over the file.
    """
    carriers, by_letter = defaultdict(set), defaultdict(dict)
    for name, gene_id in symbols_of(organism):
        carriers[key(name)].add(gene_id)
        if written := with_letter(name):
            letter, changed = written
            by_letter[letter][changed] = key(name)
    return {
        name: carriers[spelled]
        for names_of_letter in by_letter.values()
        for name, spelled in sorted(names_of_letter.items())[:: 1 + len(names_of_letter) // OF_A_LETTER]
    }


@pytest.fixture(scope="module")
def names():
    return {organism: spelled_names(organism) for organism in FILES}


@pytest.fixture(scope="module")
def answers(names, tmp_path_factory):
    """By organism and name, the leader of the search, and that of ``resolve`` or all that it finds alike."""
    spelled = [name.replace(letter, word) for of in names.values() for name in of for word, letter in LETTERS.items()]
    latin = [name.replace(letter, word[0]) for of in names.values() for name in of for word, letter in LETTERS.items()]
    genes = part_of_corpus(tmp_path_factory.mktemp("genes"), [*spelled, *latin])

    async def ask():
        async with transported(timing=WHOLE, stand_ins=stand_ins(genes)) as (transport, _):
            sources = clients(transport)
            resolver = Resolver({"entrez": sources["entrez"]}, transport.afresh)
            leaders = {}
            for organism, names_of_organism in names.items():
                rows = (await resolver.resolve([*names_of_organism], "gene", organism)).rows
                for name, row in zip(names_of_organism, rows, strict=True):
                    page = await sources["entrez"].search_genes(name, organism=organism, page_size=1)
                    resolved = [entity.id for entity in row.entities[:1]] or ID.findall(" ".join(row.ambiguous_with))
                    leaders[organism, name] = ({hit.id for hit in page.items}, {*resolved})
            return leaders

    return virtual_time.run(ask())


def test_the_names_are_sixty_and_more_with_every_letter_that_the_files_spell(names):
    drawn = [name for of in names.values() for name in of]

    assert len(drawn) >= 60
    assert {letter for letter in LETTERS.values() if any(letter in name for name in drawn)} == {*LETTERS.values()}


def test_a_gene_that_has_the_spelled_name_leads_search_and_resolve(names, answers):
    wrong = {
        (organism, name): leaders
        for (organism, name), leaders in answers.items()
        if not all(leaders) or not set().union(*leaders) <= {f"NCBIGene:{uid}" for uid in names[organism][name]}
    }

    assert wrong == {}
