"""Phrases made safe for a query and compared: British and American spelling, singular, plural, stem. Pure.

anaemia <-> anemia, tumour <-> tumor, hospitalisation <-> hospitalization, counselling <-> counseling
vaccine -> vaccine*; therapy -> therap*; diagnosis -> diagnos*; gene -> gene, genes; mouse -> mouse, mice
"""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from biofact.core.words import in_latin, plain

# British part, American part; ^ is the beginning of a word. Each has the letters by which both can be recognised: "ped"
# alone would respell "impede". Where only the American one needs more of them, they stand in a lookaround.
_PARTS = r"""
    aemia (?<!acad)(?<!boh)emia(?=s?\b) | ischaem ischem | anaemi anemi | leukaem leukem | glycaem glycem
    lipidaem lipidem | volaem volem | uraemi ^uremi | septicaem septicem | haem ^hem(?=[ao]|orrh)
    haemoglobin hemoglobin | haematoma hematoma | haematuria hematuria | paediatr pediatr | orthopaed orthoped
    anaesth anesth | gynaec gynec | caesar cesar | faec ^fec(?=al|es) | aetiol etiol | palaeo paleo
    encyclopaed encycloped | oedem edem | (?<!tr)oesoph esoph | ^oestr ^estr(?=[aiou]) | foet fet(?=al|us|o)
    rrhoe rrhe(?=[aiu]) | pnoea pnea | coeliac celiac | homoeo homeo | amoeb ameb | tumour tumor | behaviour behavior
    colour color(?!e[ct]|at) | labour labor(?!at) | favour favor | odour odor(?![io]) | neighbour neighbor
    flavour flavor | rigour rigor(?!ous) | harbour harbor | humour humor(?!al|ous) | vapour vapor(?!iz)
    honour ^honor(?!ar) | isation ization | isational izational | centre center(?!ed|ing) | ^fibre ^fiber
    ^litre ^liter | ^titre ^titer | goitre goiter | calibre caliber | counsell counsel(?=ing|or|ed)
    labell label(?=ing|ed) | modell model(?=ing|ed) | signall signal(?=ing|ed) | travell travel(?=ing|er|ed)
    channell channel(?=ing|ed) | tunnell tunnel(?=ing|ed) | sulph sulf | leuco leuko | programme(?!d) program(?!m)
    ^ageing ^aging | dialogue dialog(?!u) | catalogue catalog(?!u) | manoeuv maneuv | aluminium aluminum
    defence defense | ^grey ^gray | ^mould ^mold | enrolment enrollment | judgement judgment | fulfilment fulfillment
    plough plow | ^practise(?=[sd]?\b) ^practice(?=d\b) | analyse(?=[sdr]?\b) analyze | paralyse(?=[sd]?\b) paralyze
    catalyse(?=[sdr]?\b) catalyze | dialyse(?=[sdr]?\b) dialyze | analysing analyzing | paralysing paralyzing
"""
_VERB = re.compile(r"(?i)(?<=[a-z]{4})is(?=(?:e[sd]?|ing)\b)")
"""Verbs in -ise. As in: randomised, hospitalising."""
_AMERICAN_VERB = re.compile(r"(?i)(?<=[a-z]{3})iz(?=(?:e[sd]?|ing)\b)")
_ALWAYS_IS = re.compile(
    r"(?i)(?:advert|appra|braille|circumc|compr|comprom|clockw|conc|dem|dev|disgu|enterpr|exerc|expert|franch"
    r"|improv|likew|merchand|otherw|pairw|parad|porpo|prec|prem|prom|stepw|superv|surpr|telev|tortoi|treat)is"
)
"""Words with an s in both spellings: exercise, supervise. The pattern skips shorter words such as revise anyway."""


class _Part(NamedTuple):
    """A word part in both spellings: its patterns, and the replacements."""

    british: re.Pattern[str]
    american: re.Pattern[str]
    in_british: str
    in_american: str


def _part(row: str) -> _Part:
    british, american = row.split()
    return _Part(_pattern(british), _pattern(american), _letters(british), _letters(american))


def _pattern(part: str) -> re.Pattern[str]:
    return re.compile(part.replace("^", r"\b"), re.IGNORECASE)


def _letters(part: str) -> str:
    return re.sub(r"\(\?.*?\)+|\^", "", part)


_ROWS = tuple(_part(row) for line in _PARTS.strip().splitlines() for row in line.split(" | "))


@lru_cache(4096)
def american(text: str) -> str:
    """The text in American spelling."""
    for part in _ROWS:
        text = _replace(part.british, part.in_american, text)
    return _VERB.sub(lambda match: match[0] if _keeps_s(match) else _with_case_of(match[0], "iz"), text)


@lru_cache(4096)
def british(text: str) -> str:
    """The text in British spelling."""
    for part in _ROWS:
        # a part that is British already may hold the American one: oedem, edem
        if not part.british.search(text):
            text = _replace(part.american, part.in_british, text)
    return _AMERICAN_VERB.sub(lambda match: _with_case_of(match[0], "is"), text)


def spellings(text: str) -> list[str]:
    """The text as it is written, then in the spellings that differ from it."""
    return list(dict.fromkeys((text, american(text), british(text))))


def _replace(pattern: re.Pattern[str], part: str, text: str) -> str:
    return pattern.sub(lambda match: _with_case_of(match[0], part), text)


def _keeps_s(match: re.Match[str]) -> bool:
    start = match.string.rfind(" ", 0, match.start()) + 1
    return _ALWAYS_IS.match(match.string, start) is not None


def _with_case_of(model: str, text: str) -> str:
    """``text`` in the case of ``model``."""
    if model.isupper():
        return text.upper()
    return text.capitalize() if model[:1].isupper() else text


SHORTEST_STEM = 4
"""Letters before an asterisk, which PubMed wants (https://pubmed.ncbi.nlm.nih.gov/help/#wildcards, read 2026-11-26)."""
_SHORTEST_LONE = 7  # letters of a truncated word that stands alone: gene* finds generations, person* personality
_SHORTEST_PLURAL = 4
_IRREGULAR = {  # as MeSH and abstracts have them; the rest follows endings
    "woman": "women", "man": "men", "mouse": "mice", "foot": "feet", "tooth": "teeth", "person": "people",
    "bacterium": "bacteria", "criterion": "criteria", "index": "indices", "matrix": "matrices",
    "appendix": "appendices", "axis": "axes",
    "larva": "larvae", "fungus": "fungi", "alga": "algae", "bacillus": "bacilli", "nucleus": "nuclei", "ovum": "ova",
    "stimulus": "stimuli", "vertebra": "vertebrae", "leaf": "leaves", "calf": "calves", "crisis": "crises",
    "testis": "testes", "thesis": "theses", "lens": "lenses",
}  # fmt: skip
_SINGULARS = {plural: singular for singular, plural in _IRREGULAR.items()}
_OWN_STEMS = {"child": "child", "children": "child", "childhood": "childhood", "infant": "infant"}
_INVARIANT = re.compile(
    r"(?i)(?:.{2,}(?:itis|ness|ism|ing|ed|ly)|species|series|(?:pre)?diabetes|rabies|herpes|scabies|mellitus|insipidus|bias|news"
    r"|health|care|abuse|life|sleep|sepsis|basis|zinc|iron|copper|vitro|vivo|situ|utero|asthma|children|homeless|elderly|people|data|obese|anus)"
)
"""Words without a plural of their own. As in: arthritis, autism, screening, aged."""
_STEMS = tuple(  # the letters of a word before the asterisk, by its ending
    re.compile(rf"(?i)(?P<stem>{pattern})")
    for pattern in (
        r".+)(?:ies",  # therapies, biopsies
        r".+[^aeiou])(?:y",  # therapy, biopsy
        r".+[sx])(?:is|es",  # diagnosis, metastases, reflexes
        r".+(?:ch|sh|us|z))(?:es",  # viruses
        r".+[^siu\W])(?:s",  # vaccines
    )
)


_FAMILIES = tuple(  # the letters of a noun before the asterisk that its verb and adjective share
    re.compile(rf"(?i)(?P<root>{pattern})")
    for pattern in (
        r".{5,}[^aeiou\W])(?:ation",  # transplantation, hospitalisation
        r".{4,}(?:at|[^a\W][st]))(?:ion",  # vaccination, infection, hypertension
        r".{4,}[ae]n)(?:c[ey]",  # resistance, incontinence, pregnancy
        r".{6,}[^aeiou\W])(?:ing",  # deprescribing
    )
)


def is_inflected(word: str) -> bool:
    """Whether a word has a plural; symbols, acronyms, numerals and uncountable nouns have none."""
    last = word.rpartition("-")[2]
    return re.fullmatch(r"[^\W\d_]*[a-z]{3,}", last) is not None and _INVARIANT.fullmatch(last) is None


def singular(word: str) -> str:
    """The singular of a word."""
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
    """The plural of a word; a word without a plural as it is."""
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
    """The letters that singular and plural share, without the asterisk; empty if they are too few."""
    lower = word.lower()
    if lower in _OWN_STEMS:
        return word[: len(_OWN_STEMS[lower])]
    if lower.endswith("diabetes"):
        return word.removesuffix("es")
    if not is_inflected(word) or lower in {*_SINGULARS, *_IRREGULAR}:
        return ""
    match = next(filter(None, (ending.fullmatch(word) for ending in _STEMS)), None)
    result = match["stem"] if match else word
    return result if len(result.rpartition("-")[2]) >= SHORTEST_STEM else ""


def root(word: str) -> str:
    """The letters that a noun shares with the verb or adjective of its family; its stem if no rule fits.

    vaccination -> vaccinat; transplantation -> transplant; hypertension -> hypertens; pregnancy -> pregnan
    """
    noun = singular(word)
    if not is_inflected(noun) and not noun.lower().endswith("ing"):
        return stem(word)
    match = next(filter(None, (ending.fullmatch(noun) for ending in _FAMILIES)), None)
    return match["root"] if match else stem(word)


def numbers(phrase: str, *, is_wide: bool = False) -> list[str]:
    """Singular and plural of a phrase: one form with an asterisk where that is safe, else both in full.

    A word by itself is cut only if it is long enough to have one meaning; behind other words four letters suffice.
    ``is_wide`` cuts to the root, which finds verbs and adjectives, too.
    """
    before, blank, last = phrase.rpartition(" ")
    cut = root(last) if is_wide else stem(last)
    if cut and (before or len(last) >= _SHORTEST_LONE or last.lower() in _OWN_STEMS):
        return [f"{before}{blank}{cut}*"]
    return both_numbers(phrase)


def both_numbers(phrase: str) -> list[str]:
    """The phrase as it is written, and in the other number."""
    before, blank, last = phrase.rpartition(" ")
    forms = dict.fromkeys((last, singular(last), plural(singular(last))))
    return [f"{before}{blank}{form}" for form in forms]


LONGEST_PHRASE = 100
"""Characters of one phrase in a query."""
STOP_WORDS = frozenset({"a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"})

_APOSTROPHES = re.compile("[\u2018\u2019\u02bc\u00b4]")
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_SHORTEST_STEM = 4  # letters before an asterisk: PubMed expands to 600 variants at most


def clean(text: str) -> str:
    """``text`` as words alone, which are no syntax to PubMed inside quotes; empty if it has no words."""
    text = "".join(" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in straight(text))
    words = [word for word in plain(in_latin(text)).replace('"', " ").split() if re.search(r"\w", word)]
    while words and len(" ".join(words)) > LONGEST_PHRASE:
        words = words[:-1] if len(words) > 1 else [words[0][:LONGEST_PHRASE]]
    return " ".join(words)


def keyword(text: str) -> str:
    """``clean`` text, which keeps an asterisk at its end that stands for any ending."""
    words = clean(text)
    is_stem = text.rstrip(" \"'").endswith("*") and re.search(rf"\w{{{_SHORTEST_STEM}}}$", words)
    return f"{words}*" if is_stem else words


def straight(text: str) -> str:
    """The text with ASCII hyphens and apostrophes."""
    text = unicodedata.normalize("NFKC", text)
    return _DASHES.sub("-", _APOSTROPHES.sub("'", text))


def key(phrase: str) -> str:
    """One form for spellings that differ in case, number, hyphens, blanks, accents, or between Britain and America."""
    folded = american(in_latin(phrase).casefold().replace("'s", ""))
    return "".join(map(_singular, re.findall(r"\w+", without_accents(folded))))


def without_accents(text: str) -> str:
    """The text without accents, which PubMed ignores."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def has_phrase(text: str, phrase: str) -> bool:
    """Whether the words of ``phrase`` occur side by side in ``text``."""
    return f" {_comparable_words(phrase)} " in f" {_comparable_words(text)} "


def in_speech(name: str) -> str:
    """A heading in the order of speech: ``Type 2 Diabetes Mellitus`` for ``Diabetes Mellitus, Type 2``."""
    return " ".join(reversed(name.split(", "))) if is_inverted(name) else name


def is_inverted(name: str) -> bool:
    """Whether a heading is in a card index's order; ``Hand, Foot and Mouth Disease`` and ``X, with Y`` are not."""
    last = name.rpartition(", ")[2].lower()
    return ", " in name and " and " not in last and last.partition(" ")[0] not in STOP_WORDS


def is_acronym(word: str) -> bool:
    """``AI``, ``GLP-1``, ``COVID-19``: two capitals or a capital and a digit, and no blank."""
    return " " not in word and len(re.findall(r"[A-Z]", word)) + len(re.findall(r"\d", word)[:1]) > 1


def _comparable_words(text: str) -> str:
    return " ".join(_singular(word) for word in re.findall(r"\w+", text.casefold()))


def _singular(word: str) -> str:
    if len(word) < _SHORTEST_PLURAL or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word.removesuffix("s")
