"""Names that a full stop, a blank or a slash must not break: organisms by initial, saints, abbreviations. Pure.

E. coli bacteraemia   ->  E. coli; bacteraemia
i.v. iron             ->  i.v. iron, and intravenous iron
BRCA1/2 mutations     ->  BRCA1 or BRCA2 mutations
"""

import re
from collections.abc import Iterator

from biofact.literature.query import lexicon

# Letters to any pattern of words, and in nobody's goal: they hold the place of a stop or a blank inside a name.
_STOP, _BLANK = "\ua78f", "\u3164"
_RESTORED = str.maketrans({_STOP: ".", _BLANK: " "})

_GENERA = """
    Acinetobacter baumannii | Aspergillus fumigatus | Bacillus anthracis cereus subtilis | Bacteroides fragilis
    Bordetella pertussis | Borrelia burgdorferi | Brucella melitensis | Caenorhabditis elegans | Campylobacter jejuni
    Candida albicans auris glabrata | Chlamydia trachomatis | Clostridioides difficile | Clostridium botulinum difficile
    perfringens tetani | Cryptococcus neoformans | Danio rerio | Drosophila melanogaster | Entamoeba histolytica |
    Enterobacter cloacae Enterococcus faecalis faecium | Escherichia coli | Giardia lamblia | Haemophilus influenzae |
    Helicobacter pylori Homo sapiens | Klebsiella pneumoniae | Legionella pneumophila | Leishmania donovani infantum
    major | Listeria monocytogenes | Mus musculus | Mycobacterium tuberculosis leprae bovis avium abscessus |
    Mycoplasma pneumoniae genitalium Neisseria gonorrhoeae meningitidis | Plasmodium falciparum vivax malariae knowlesi
    ovale | Pneumocystis jirovecii Proteus mirabilis | Pseudomonas aeruginosa | Rattus norvegicus | Saccharomyces
    cerevisiae | Salmonella enterica typhi Schistosoma mansoni haematobium japonicum | Serratia marcescens | Shigella
    flexneri sonnei | Staphylococcus aureus epidermidis | Stenotrophomonas maltophilia | Streptococcus pneumoniae
    pyogenes agalactiae mutans | Toxoplasma gondii Treponema pallidum | Trichomonas vaginalis | Trypanosoma cruzi
    brucei | Vibrio cholerae | Xenopus laevis Yersinia pestis enterocolitica | Arabidopsis thaliana | Wuchereria
    bancrofti | Strongyloides stercoralis | Akkermansia muciniphila | Faecalibacterium prausnitzii | Porphyromonas
    gingivalis | Fusobacterium nucleatum
"""
_ROUTES = {
    "i.v.": "intravenous", "i.m.": "intramuscular", "s.c.": "subcutaneous", "p.o.": "oral", "i.p.": "intraperitoneal",
    "i.t.": "intrathecal", "i.d.": "intradermal", "i.n.": "intranasal",
    "u.s.": "United States", "u.k.": "United Kingdom",
}  # fmt: skip
"""What abbreviations with stops stand for."""


def _genera() -> Iterator[tuple[str, str]]:
    """Every species of the table with its genus."""
    genus = ""
    for word in _GENERA.replace("|", " ").split():
        genus = word if word[0].isupper() else genus
        if word != genus:
            yield word, genus


_SPECIES: dict[str, list[str]] = {}
for _epithet, _genus in _genera():
    _SPECIES.setdefault(_epithet, []).append(_genus)
_EPITHETS = "|".join(_SPECIES)
_ORGANISM = re.compile(
    rf"\b(?P<genus>[A-Z][a-z]{{0,4}})(?P<stop>\.\s?)(?P<middle>[a-z]\.\s?)?(?P<species>[a-z]{{4,}}(?:-[a-z]+)?)\b"
    rf"|\b(?P<bare>[A-Z])\s(?P<known>(?i:{_EPITHETS}))\b|\b(?P<full>[A-Z][a-z]{{3,}})\s(?P<named>{_EPITHETS})\b"
)
"""As in: E. coli, T. b. gambiense, H pylori, Toxoplasma gondii."""
_INITIAL_AFTER = re.compile(
    r"(?i)\b(?:vitamins?|hepatitis|types?|groups?|class|grade|stage|factor|protein|influenza|part|phase)\s$"
)
"""As in: vitamin D. supplementation. What follows is no species."""
_SAINT = re.compile(r"\b(?:St\.?|Saint)\s(?P<name>[A-Z][a-z]+(?:'s)?)(?P<wort>\s[Ww]ort\b)?")
"""As in: St. John's wort, St. Louis encephalitis."""
_STOPS = re.compile(r"(?<![\w.])(?:[A-Za-z]\.){2,}(?:[A-Za-z]\b)?")
"""As in: i.v., U.S."""
_ASIDES = re.compile(r"(?i)(?<![\w.])(?:e\.g\.|i\.e\.|etc\.|et\sal\.?|a\.k\.a\.|[bt]\.i\.d\.|q\.(?:i\.)?d\.)")
"""As in: e.g., b.i.d. They name nothing."""
_WITH = re.compile(r"(?i)(?<!\w)w/(o\b)?")
_HANGING = re.compile(r"(?i)\b(\w+)-\s+(and|or|to|versus|vs\.?)\s+(\w+)-(\w+)")
"""As in: pre- and post-operative."""
_AGED = re.compile(r"(?i)\baged\s+(?:over|under|above|below|between)?\s*\d+\S*(?:\s*(?:to|and|-)\s*\d+)?(?:\s+years?)?")
"""As in: aged 65 to 80 years."""
_VERSUS = re.compile(r"(?<![\w.-])[Vv][Ss](?:\.|(?=\s))|(?<![\w.-])v\.?(?=\s\w)")
_SHORTENED = re.compile(r"(?i)\b(dr|mr|mrs|prof|cf|no|approx|resp|subsp|var)\.(?=\s)")
_EVERY_SPECIES = re.compile(r"(?i)\b([A-Z][a-z]{3,})\sspp?(?:\.|\b)")
"""As in: Candida spp."""
_PERSON = re.compile(r"\b[A-Z]\.\s(?=[A-Z][a-z]{2,}\b)")
"""As in: H. Pylori, J. Smith."""
_DOSE = re.compile(
    r"(?i)(?<![\w.-])\d[\d.,]*(?:\s?(?:-|to|/)\s?\d[\d.,]*)?\s?(?:%|(?:(?:[mkn\u00b5\u03bc]|mc)?g|[md]?l|iu|[mn]mol|units?)"
    r"(?:\s?/\s?(?:[mkd]?[glh]|kg|day|week|min|dl|ml))*(?![\w-]))|[<>\u2264\u2265]=?\s?\d[\d.,]*(?:\s?(?:years?|months?|weeks?)\b)?"
)
"""As in: 5 mg/kg, 10%, >70 years."""
_NUMBERED = re.compile(r"\b([A-Za-z][A-Za-z-]+)(\d+)((?:/\d+)+)(?![\w/])")
"""As in: BRCA1/2."""


def joined(goal: str) -> str:
    """The goal with every such name in one piece, doses taken out and numbered symbols written out."""
    goal = _HANGING.sub(r"\1-\4 \2 \3-\4", _WITH.sub(lambda found: "without " if found[1] else "with ", goal))
    goal = _NUMBERED.sub(_each_symbol, _AGED.sub(" ; ", goal))
    goal = _ASIDES.sub(" , ", _DOSE.sub(" ; ", goal))
    goal = _SHORTENED.sub(r"\1", _VERSUS.sub("versus", _EVERY_SPECIES.sub(r"\1", goal)))
    goal = _STOPS.sub(lambda found: _held(found[0]), goal)
    goal = _SAINT.sub(lambda found: _held(found[0]), goal)
    goal = _ORGANISM.sub(lambda found: _held(_spaced(found[0])) if _is_organism(found) else found[0], goal)
    return _PERSON.sub(
        lambda found: found[0] if _INITIAL_AFTER.search(goal[: found.start()]) else _held(found[0]), goal
    )


def restored(text: str) -> str:
    """A part of a joined goal as it was written."""
    return text.translate(_RESTORED)


def stands_apart(piece: str) -> bool:
    """Whether a joined name is a subject of its own whatever stands beside it: an organism, a saint's wort."""
    name = restored(piece)
    return name != piece and (is_organism(name) or name.lower().endswith("wort"))


def has_stops(name: str) -> bool:
    """Whether a name has parts that mean nothing by themselves: E. coli, St. Louis, i.v."""
    return re.search(r"(?:^|[\s.])\w{1,3}\.", name) is not None or is_organism(name)


def is_organism(name: str) -> bool:
    """Whether a name is a species, by initial or in full."""
    found = _ORGANISM.fullmatch(name)
    return found is not None and _is_organism(found)


def full_names(name: str) -> list[str]:
    """What a name with an initial or stops stands for: *Escherichia coli*, *intravenous iron*; and the other way."""
    results = [re.sub(rf"(?i)(?<![\w.]){re.escape(short)}(?=\s|$)", long, name) for short, long in _ROUTES.items()]
    if (found := _ORGANISM.search(name)) and _is_organism(found):
        results += [name.replace(found[0], other) for other in _organism_names(found)]
    return [result for result in dict.fromkeys(results) if result != name]


def initial_form(heading: str) -> str:
    """An organism's heading as papers shorten it: ``S. aureus``; empty for what is no species."""
    found = re.fullmatch(r"([A-Z])[a-z]{2,} ([a-z]{3,})", heading)
    return f"{found[1]}. {found[2]}" if found else ""


def _organism_names(found: re.Match[str]) -> list[str]:
    if found["full"]:
        return [f"{found['full'][0]}. {found['named']}"]
    start = (found["genus"] or found["bare"]).lower()
    species = (found["species"] or found["known"]).lower()
    own = [] if found["middle"] else [f"{start[0].upper()}. {species}"]
    return own + [f"{genus} {species}" for genus in _SPECIES.get(species, ()) if genus.lower().startswith(start)]


def _is_organism(found: re.Match[str]) -> bool:
    if found["full"]:
        return found["full"] in _SPECIES[found["named"]]
    if found["bare"]:
        return any(genus.startswith(found["bare"]) for genus in _SPECIES[found["known"].lower()])
    is_word = found["species"] in lexicon.SEPARATORS | lexicon.GENERIC | lexicon.ASPECTS
    before = found.string[: found.start()]
    return (
        not is_word and not _INITIAL_AFTER.search(before) and (len(found["genus"]) == 1 or found["species"] in _SPECIES)
    )


def _each_symbol(found: re.Match[str]) -> str:
    name, first, others = found.groups()
    return " or ".join(f"{name}{number}" for number in [first, *others.strip("/").split("/")])


def _spaced(name: str) -> str:
    """``P.vivax`` with its blank."""
    return re.sub(r"\.(?=[a-z])", ". ", name)


def _held(name: str) -> str:
    return name.replace(".", _STOP).replace(" ", _BLANK)
