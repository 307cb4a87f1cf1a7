"""British and American spellings of medical words: rules by word part, each read both ways. Pure.

anaemia <-> anemia, tumour <-> tumor, hospitalisation <-> hospitalization, counselling <-> counseling
"""

import re
from functools import lru_cache
from typing import NamedTuple

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
"""As in: randomised, hospitalising."""
_AMERICAN_VERB = re.compile(r"(?i)(?<=[a-z]{3})iz(?=(?:e[sd]?|ing)\b)")
_ALWAYS_IS = re.compile(
    r"(?i)(?:advert|appra|braille|circumc|compr|comprom|clockw|conc|dem|dev|disgu|enterpr|exerc|expert|franch"
    r"|improv|likew|merchand|otherw|pairw|parad|porpo|prec|prem|prom|stepw|superv|surpr|telev|tortoi|treat)is"
)
"""Words that have their s on both sides: exercise, supervise. Shorter ones, as revise, are left alone anyway."""


class _Part(NamedTuple):
    """One word part in both spellings: how it is recognised, and what stands in its place."""

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
    return _VERB.sub(lambda found: found[0] if _keeps_s(found) else _cased(found[0], "iz"), text)


@lru_cache(4096)
def british(text: str) -> str:
    """The text in British spelling."""
    for part in _ROWS:
        if not part.british.search(text):
            text = _replace(part.american, part.in_british, text)
    return _AMERICAN_VERB.sub(lambda found: _cased(found[0], "is"), text)


def spellings(text: str) -> list[str]:
    """The text as it is written, then in the spellings that differ from it."""
    return list(dict.fromkeys((text, american(text), british(text))))


def _replace(pattern: re.Pattern[str], part: str, text: str) -> str:
    return pattern.sub(lambda found: _cased(found[0], part), text)


def _keeps_s(found: re.Match[str]) -> bool:
    start = found.string.rfind(" ", 0, found.start()) + 1
    return _ALWAYS_IS.match(found.string, start) is not None


def _cased(before: str, after: str) -> str:
    """``after`` in the case of ``before``."""
    if before.isupper():
        return after.upper()
    return after.capitalize() if before[:1].isupper() else after
