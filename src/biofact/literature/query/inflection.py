"""Singular, plural and stem of a phrase's last word. Pure.

vaccine -> vaccine*; therapy -> therap*; diagnosis -> diagnos*; gene -> gene, genes; mouse -> mouse, mice
"""

import re

SHORTEST_STEM = 4
"""Letters before an asterisk, which PubMed wants (https://pubmed.ncbi.nlm.nih.gov/help/#wildcards, read 2026-11-26)."""
_SHORTEST_LONE = 7  # letters of a word that stands alone and is truncated: gene* finds generations, person* personality
_SHORTEST_PLURAL = 4
_IRREGULAR = {  # as MeSH and abstracts have them; the rest follows endings
    "woman": "women", "man": "men", "mouse": "mice", "foot": "feet", "tooth": "teeth", "person": "people",
    "bacterium": "bacteria", "criterion": "criteria", "index": "indices", "matrix": "matrices",
    "appendix": "appendices", "axis": "axes",
    "larva": "larvae", "fungus": "fungi", "alga": "algae", "bacillus": "bacilli", "nucleus": "nuclei", "ovum": "ova",
    "stimulus": "stimuli", "vertebra": "vertebrae", "leaf": "leaves", "calf": "calves", "crisis": "crises",
    "testis": "testes", "thesis": "theses", "lens": "lenses",
}  # fmt: skip
_SINGULARS = {many: one for one, many in _IRREGULAR.items()}
_OWN_STEMS = {"child": "child", "children": "child", "childhood": "childhood", "infant": "infant"}
_INVARIANT = re.compile(
    r"(?i)(?:.{2,}(?:itis|ness|ism|ing|ed|ly)|species|series|(?:pre)?diabetes|rabies|herpes|scabies|mellitus|insipidus|bias|news"
    r"|health|care|abuse|life|sleep|sepsis|basis|zinc|iron|copper|vitro|vivo|situ|utero|asthma|children|homeless|elderly|people|data|obese|anus)"
)
"""As in: arthritis, autism, screening, aged. Nobody counts them, or they are the same for many."""
_STEMS = tuple(  # what stays of a word before the asterisk, by its ending
    re.compile(rf"(?i)(?P<stem>{pattern})")
    for pattern in (
        r".+)(?:ies",  # therapies, biopsies
        r".+[^aeiou])(?:y",  # therapy, biopsy
        r".+[sx])(?:is|es",  # diagnosis, metastases, reflexes
        r".+(?:ch|sh|us|z))(?:es",  # viruses
        r".+[^siu\W])(?:s",  # vaccines
    )
)


_FAMILIES = tuple(  # what stays of a noun before the asterisk so that its verb and adjective are found, too
    re.compile(rf"(?i)(?P<root>{pattern})")
    for pattern in (
        r".{5,}[^aeiou\W])(?:ation",  # transplantation, hospitalisation
        r".{4,}(?:at|[^a\W][st]))(?:ion",  # vaccination, infection, hypertension
        r".{4,}[ae]n)(?:c[ey]",  # resistance, incontinence, pregnancy
        r".{6,}[^aeiou\W])(?:ing",  # deprescribing
    )
)


def is_inflected(word: str) -> bool:
    """Whether a word has a number: no symbol, acronym or numeral has, nor what cannot be counted."""
    last = word.rpartition("-")[2]
    return re.fullmatch(r"[^\W\d_]*[a-z]{3,}", last) is not None and _INVARIANT.fullmatch(last) is None


def singular(word: str) -> str:
    """The word for one of them."""
    lower = word.lower()
    if lower in _SINGULARS:
        return word[:1] + _SINGULARS[lower][1:]
    if lower in _IRREGULAR:
        return word
    if re.fullmatch(r"[A-Z\d-]{2,}s", word):
        return word.removesuffix("s")
    if not is_inflected(word) or len(word) < _SHORTEST_PLURAL or lower.endswith(("ss", "us", "is", "ics")):
        return word
    if lower.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if re.search(r"(?:ch|sh|ss|x|zz|[aiou]us)es$", lower) else word.removesuffix("s")


def plural(word: str) -> str:
    """The word for many of them; a word without a plural as it is."""
    lower = word.lower()
    if lower in _IRREGULAR:
        return word[:1] + _IRREGULAR[lower][1:]
    if lower in _SINGULARS or not is_inflected(word) or singular(word) != word or lower.endswith(("ics", "ia", "ae")):
        return word
    if re.search(r"[^aeiou]y$", lower):
        return f"{word[:-1]}ies"
    if re.search(r"[sx]is$", lower):
        return f"{word[:-2]}es"
    return f"{word}es" if re.search(r"(?:s|x|z|ch|sh)$", lower) else f"{word}s"


def stem(word: str) -> str:
    """What singular and plural have in common, without the asterisk; empty where it is too short."""
    lower = word.lower()
    if lower in _OWN_STEMS:
        return word[: len(_OWN_STEMS[lower])]
    if lower.endswith("diabetes"):
        return word.removesuffix("es")
    if not is_inflected(word) or lower in {*_SINGULARS, *_IRREGULAR}:
        return ""
    found = next(filter(None, (ending.fullmatch(word) for ending in _STEMS)), None)
    result = found["stem"] if found else word
    return result if len(result.rpartition("-")[2]) >= SHORTEST_STEM else ""


def root(word: str) -> str:
    """What a noun has in common with the verb or adjective of its family; its stem where no rule fits.

    vaccination -> vaccinat; transplantation -> transplant; hypertension -> hypertens; pregnancy -> pregnan
    """
    one = singular(word)
    if not is_inflected(one) and not one.lower().endswith("ing"):
        return stem(word)
    found = next(filter(None, (ending.fullmatch(one) for ending in _FAMILIES)), None)
    return found["root"] if found else stem(word)


def numbers(phrase: str, *, is_wide: bool = False) -> list[str]:
    """The phrase for one and for many: with an asterisk where that is safe, else both written out.

    A word by itself is cut only if it is long enough to mean one thing; behind other words four letters are enough.
    ``is_wide`` cuts to the root, which finds verbs and adjectives, too.
    """
    before, blank, last = phrase.rpartition(" ")
    cut = root(last) if is_wide else stem(last)
    if cut and (before or len(last) >= _SHORTEST_LONE or last.lower() in _OWN_STEMS):
        return [f"{before}{blank}{cut}*"]
    return written_out(phrase)


def written_out(phrase: str) -> list[str]:
    """The phrase as it is written, and in the other number."""
    before, blank, last = phrase.rpartition(" ")
    forms = dict.fromkeys((last, singular(last), plural(singular(last))))
    return [f"{before}{blank}{form}" for form in forms]
