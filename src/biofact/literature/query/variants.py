"""The forms in which a phrase stands in titles and abstracts: order, spelling, hyphens, number. Pure.

Diabetes, Gestational  ->  Gestational diabet*
pre-eclampsia          ->  pre-eclampsia*, preeclampsia*
leukaemia              ->  leukaemia*, leukemia*
"""

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from biofact.literature.query import inflection, spelling, whole_names, wording

_OTHER_MEANING = frozenset({"aged"})
"""Names of headings that say something else in an abstract: "patients aged 3 to 5"."""
_SHORTEST = 2  # letters and digits; one letter is no term
_LONGEST_ACRONYM = 6
_MOST_REMEMBERED = 4096  # phrases: some two dozen questions
_PART = 3  # letters on each side of a hyphen that may be a blank as well
_CLOSED = re.compile(
    r"(?i)\b(anti|auto|bio|cardio|co|e|electro|endo|immuno|inter|intra|micro|multi|neo|neuro|non|para|peri|post|pre|psycho|re"
    r"|semi|socio|sub|tele|trans|under|x)-(?=[a-z]{3})"
)
"""As in: pre-eclampsia, e-cigarettes. Both are written in one word, too."""
_OPENED = re.compile(
    r"(?i)\b(?:(non)(?!e|ag)(?=[a-z]{7})|(pre|post)(?=(?:operativ|partum|natal|menopaus|traumat|term\b|school|surg)))"
)
"""As in: nonalcoholic, postoperative."""


class TextForm(NamedTuple):
    """A form to search for, and what it stands for without its asterisk."""

    text: str
    whole: tuple[str, ...]


_LETTERED = re.compile(r"^A \d|\b(?:[Tt]ype|[Gg]roup|[Vv]itamin) [Aa]$")
"""As in: A 23187, vitamin A. The letter is no article."""


def free_text(phrases: Iterable[str], *, is_wide: bool = False) -> list[TextForm]:
    """Every form of the phrases, each once, those of the first phrase first; an asterisk stands for any ending.

    ``is_wide`` cuts last words to the root that their verb and adjective share.

    Left out is what a form with an asterisk finds anyway, and what would mean something else.
    """
    results: dict[str, TextForm] = {}
    for form in (form for phrase in phrases for form in forms(phrase, is_wide=is_wide)):
        found = next((key for key, other in results.items() if covers(other.text, form.text)), form.text.lower())
        if found in results:
            results[found] = _merged(results[found], form)
            continue
        covered = [key for key, other in results.items() if covers(form.text, other.text)]
        results[found] = functools.reduce(_merged, map(results.pop, covered), form)
    return list(results.values())


def _merged(one: TextForm, other: TextForm) -> TextForm:
    """A form that stands for what another stands for, too."""
    return TextForm(one.text, tuple({text.lower(): text for text in (*other.whole, *one.whole)}.values()))


@functools.lru_cache(maxsize=_MOST_REMEMBERED)
def forms(phrase: str, *, is_wide: bool = False) -> tuple[TextForm, ...]:
    """The forms of one phrase; none of one that is no term. Each draft of a query asks for those of the same names."""
    return tuple(_forms(phrase, is_wide=is_wide))


def _forms(phrase: str, *, is_wide: bool) -> Iterator[TextForm]:
    text = wording.clean(unaccented(wording.in_speech(phrase)))
    if not is_term(text):
        return
    if phrase.endswith("*"):
        yield TextForm(wording.keyword(phrase), (text,))
        return
    for spelled in spelling.spellings(text):
        for joined in hyphenations(spelled):
            if has_no_number(joined):
                yield TextForm(joined, (joined,))
            else:
                yield from _numbers(joined, is_wide=is_wide)


def _numbers(phrase: str, *, is_wide: bool) -> Iterator[TextForm]:
    for form in inflection.numbers(phrase, is_wide=is_wide):
        yield TextForm(form, tuple(inflection.written_out(phrase)) if form.endswith("*") else (form,))


def hyphenations(phrase: str) -> list[str]:
    """The phrase as it is written, and with its hyphens closed, opened or put in where others write it so."""
    spaced = re.sub(rf"(?<=[^\W\d_]{{{_PART}}})-(?=[^\W\d_]{{{_PART}}})", " ", phrase)
    opened = _OPENED.sub(lambda found: f"{found[0]}-", phrase)
    return list(dict.fromkeys((phrase, _CLOSED.sub(r"\1", phrase), spaced, opened)))


def is_term(text: str) -> bool:
    """Whether a text can be searched for by itself."""
    letters = re.sub(r"[\W_]", "", text)
    if len(letters) < _SHORTEST or letters.isdecimal() or text.lower() in _OTHER_MEANING:
        return False
    words = text.lower().split()
    is_whole = len(words) == 1 or text.startswith("in ") or _LETTERED.search(text) or whole_names.is_organism(text)
    return bool(is_whole) or not {words[0], words[-1]} & wording.STOP_WORDS


def has_no_number(phrase: str) -> bool:
    """Whether a phrase is a name that stays as it is: an organism, an acronym."""
    return whole_names.is_organism(phrase) or (wording.is_acronym(phrase) and len(phrase) <= _LONGEST_ACRONYM)


def covers(stem: str, form: str) -> bool:
    """Whether a form with an asterisk finds another one."""
    rest = form.lower().removeprefix(stem[:-1].lower()) if stem.endswith("*") else form
    return stem.endswith("*") and len(rest) < len(form) and not re.search(r"[\s-]", rest)


def unaccented(text: str) -> str:
    """Without accents, which PubMed does not tell apart."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
