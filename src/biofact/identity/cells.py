"""Cells of a column that hold no name: missing values, and what spreadsheets make of names. Pure.

Excel turns a name that reads as a day (SEPT2, MARCH1, DEC1) into a date, and one that reads as a number in scientific
notation (2310009E13) into that number (Zeeberg et al. 2004, doi:10.1186/1471-2105-5-80). Its other languages do the
same to their own months: AGO2 in Spanish, MEI1 in Dutch, TAMM41 in Finnish (Abeysooriya et al. 2021,
doi:10.1371/journal.pcbi.1008984).
"""

import calendar
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from biofact.identity.joining import JoinedEntity, Leader, Lookup

_QUOTES = "\"'"
_MISSING_WORDS = re.compile(
    r"[<(\[]?(?:[-+]?nan|(?-i:NaT)|n/a|n\.a\.?|na|null|none|[-+]?inf(?:inity)?|true|false)[>)\]]?"
    r"|n\.d\.?|[(\[]?(?:missing|unknown|unassigned|unmapped|blank)[)\]]?"
    r"|not (?:available|applicable|assigned|determined|detected|found|known|mapped)"
    r"|#getting_data|#n[a-z/]{1,3}"  # of Excel, in its languages: #N/A, #NV, #N/D
    r"|#[^\W\d_]+(?:[/_ ]?[^\W_]+)?[!?]"  # #REF!, #DIV/0!, #NAME?, #WERT!
    r"|[-+]?1\.#\w+",  # of C on Windows: 1.#QNAN
    re.IGNORECASE,
)

_MONTHS = {
    language: tuple(months.split())
    for language, months in {
        "en": "january february march april may june july august september october november december",
        "de": "januar februar märz april mai juni juli august september oktober november dezember",
        "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "nl": "januari februari maart april mei juni juli augustus september oktober november december",
        "sv": "januari februari mars april maj juni juli augusti september oktober november december",
        "da": "januar februar marts april maj juni juli august september oktober november december",
        "nb": "januar februar mars april mai juni juli august september oktober november desember",
        "pl": "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
        "tr": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",  # noqa: RUF001  # Turkish
        "ru": "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
        "fi": "tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu",  # and -kuu after each
    }.items()
}
"""Names of months by language: a spreadsheet reads any beginning of three letters or more."""
_CONTRACTIONS = {"mrz": ("de", 3), "mrt": ("nl", 3), "мая": ("ru", 5)}  # abbreviations and forms that are no beginnings
_LENGTHS = (5, 4, 3)  # letters of months in symbols of genes, the likeliest first: MARCH1, SEPT2, DEC1

_TIME = r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[AP]M)?Z?)?"
_YEAR = r"(?:\d{2}|\d{4})"
_WORD = r"([^\W\d_]{3,})\.?"
_DAY_MONTH = re.compile(rf"(\d{{1,2}})(?:[-/ ]|\. ?){_WORD}(?:(?:[-/.]|,? )({_YEAR}))?{_TIME}", re.IGNORECASE)
_MONTH_DAY_YEAR = re.compile(rf"(?:[^\W\d_]+, )?{_WORD}[-/ ](\d{{1,2}})(?:[-/]|,? )(\d{{4}}){_TIME}", re.IGNORECASE)
_MONTH_NUMBER = re.compile(r"([a-z]{3})[-/](\d{1,2})", re.IGNORECASE)  # people write names as Sept-2 and Oct 4
_NUMBERS = re.compile(rf"(\d{{1,2}})([-/.])(\d{{1,2}})\2({_YEAR}){_TIME}|(\d{{1,2}})[-/](\d{{1,2}})", re.IGNORECASE)
_YEAR_FIRST = re.compile(rf"(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}}){_TIME}", re.IGNORECASE)
_EAST_ASIAN = re.compile(rf"(?:(\d{{4}})[年년] ?)?(\d{{1,2}})[月월] ?(\d{{1,2}})[日일]{_TIME}")
_SERIAL = re.compile(r"(\d{5})(?:\.0+)?")
_SCIENTIFIC = re.compile(r"(\d)(?:[.,](\d+))?E\+(\d{1,3})", re.IGNORECASE)

_CALENDARS = (
    (date(1899, 12, 30), range(1995, 2036)),
    (date(1904, 1, 1), range(1995, 2012)),  # of Excel for the Mac until 2011
)
"""Day 0 of the serial numbers, and the years that names become: the one in which they are typed. Between the
first, 33,238, and the last, 49,674, man has two GeneIDs (43847, 43849) and mouse none."""
_LAST_CENTURY = range(1930, 2000)  # a number that is no day of the month is a year: SEP53 is September 1953
_LONGEST_NUMBER = 8  # digits before the E of a name; clones of RIKEN have seven


@dataclass(frozen=True, slots=True)
class SpreadsheetCell:
    """A cell that a spreadsheet may have made of a name. Names are in capitals, each once, the likeliest first."""

    text: str
    form: Literal["date", "number"]
    names: tuple[str, ...]
    """The names that a spreadsheet turns into this cell, in English or in the language of the cell."""
    foreign_names: tuple[str, ...] = ()
    """The names that it turns into this cell in other languages: for a cell of which no other name is known."""

    @property
    def readings(self) -> tuple[str, ...]:
        """All names that the cell may stand for, itself among them: ``Oct-4``, a GeneID."""
        return (self.text, *self.names, *self.foreign_names)

    def leader(self, entities: Lookup) -> Leader | None:
        """The genes that the cell may stand for, as a question; None where it is a name, and of no other gene."""
        own = {gene.lead.id: gene for gene in entities(self.text)}
        names = self.names if any(map(entities, self.names)) else self.foreign_names
        pairs = [(name, gene) for name in names for gene in entities(name)]
        genes = {**own, **{gene.lead.id: gene for _, gene in pairs}}
        if own and genes.keys() == own.keys():
            return None
        origins = (
            _origin(gene, [name for name, other in pairs if other.lead.id == gene_id])
            for gene_id, gene in genes.items()
        )
        return Leader((), [gene.written for gene in genes.values()], self._reason(", ".join(origins)))

    def _reason(self, origins: str) -> str:
        """Why the row has no entity; ``origins`` is what the cell may have been, as text."""
        if origins:
            return f"A {self.form} that a spreadsheet may have made of a name: {origins}. See the original file."
        if self.form == "date":
            return f"A date, as spreadsheets make of names such as {self.names[0]}; none of these is known."
        return (
            f"A number, as spreadsheets make of names such as {self.names[0]} and those of RIKEN's clones: digits that"
            " it does not show are lost, and the name is in the original file alone."
        )


def _origin(gene: JoinedEntity, names: Sequence[str]) -> str:
    """The label, with the names that became the cell in brackets; without any, the cell is its name."""
    label, written = gene.lead.label, " or ".join(names)
    return label if written == label else f"{label} ({f'was {written}' if names else 'as written'})"


def cell_text(value: object) -> object:
    """A date or number out of a data frame as the text of its cell; other values as they are."""
    return str(value) if isinstance(value, date | float) else value


def is_missing(text: str) -> bool:
    """Whether a cell is one of the marks of a missing value, of an error or of a truth value: ``NA``, ``#REF!``,
    ``TRUE``; or has no letter and no digit, as ``-`` and ``?``. An empty text is not.
    """
    text = text.strip(_QUOTES)
    return bool(text) and (_MISSING_WORDS.fullmatch(text) is not None or not any(map(str.isalnum, text)))


def spreadsheet_cell(text: str) -> SpreadsheetCell | None:
    """The names that a spreadsheet may have turned into this cell, or None if it looks like a name.

    ``2-Sep``: SEPT2, SEP2 and further beginnings of the month; ``9/2/2026``: these, and FEB9; ``2.31E+19``: 231E17.
    """
    bare = text.strip(_QUOTES)
    if number := _SCIENTIFIC.fullmatch(bare):
        names = dict.fromkeys(_scientific(number[1] + (number[2] or ""), int(number[3])))
        return SpreadsheetCell(text, "number", tuple(names))
    days, languages = _days(bare)
    if not days:
        return None
    own = [name for day in days for language in languages for name in _names(language, *day)]
    foreign = [name for day in days for language in _MONTHS for name in _names(language, *day)]
    names = dict.fromkeys(own)
    return SpreadsheetCell(
        text, "date", tuple(names), tuple(name for name in dict.fromkeys(foreign) if name not in names)
    )


Day = tuple[int, int]
"""A month, and the number after it in a name: the day, or the last digits of the year."""


def _days(text: str) -> tuple[list[Day], Collection[str]]:
    """The days that a date reads as, with the day first and the month first, in either calendar; and its languages,
    of which English is one: a date is shown in the language of whoever opens the file.
    """
    if match := _DAY_MONTH.fullmatch(text):
        month, language = _month(match[2])
        return _day(month, int(match[1]), _year(match[3])), dict.fromkeys(("en", language))
    if match := _MONTH_DAY_YEAR.fullmatch(text):
        month, language = _month(match[1])
        return _day(month, int(match[2]), int(match[3])), dict.fromkeys(("en", language))
    if match := _MONTH_NUMBER.fullmatch(text):
        month, language = _month(match[1])
        number = int(match[2])
        if month and language == "en":  # HEL-9 is no February: other languages put the day first
            is_year = 1900 + number in _LAST_CENTURY
            return _day(month, number) or ([(month, number)] if is_year else []), ("en",)
    return list(_numeric_days(text)), ("en",)


def _numeric_days(text: str) -> Iterator[Day]:
    """The days of a date in numbers alone."""
    if match := _YEAR_FIRST.fullmatch(text):
        yield from _day(int(match[3]), int(match[4]), int(match[1]))
    elif match := _EAST_ASIAN.fullmatch(text):
        yield from _day(int(match[2]), int(match[3]), int(match[1] or 0))
    elif match := _NUMBERS.fullmatch(text):
        first, last = (int(match[1] or match[5]), int(match[3] or match[6]))
        year = _year(match[4])
        if match[2] != ".":  # with full stops the day is first
            yield from _day(first, last, year)
        yield from _day(last, first, year)
    elif match := _SERIAL.fullmatch(text):
        for origin, years in _CALENDARS:
            day = origin + timedelta(days=int(match[1]))
            if day.year in years:
                yield day.month, day.day


def _day(month: int, day: int, year: int = 0) -> list[Day]:
    """The day of the month, if there is one; and its year, which a spreadsheet writes as the first day of the month."""
    if month not in range(1, 13) or day not in range(1, _longest(month) + 1):
        return []
    is_month = day == 1 and year in _LAST_CENTURY and year % 100 > _longest(month)
    return [(month, day), *([(month, year % 100)] if is_month else [])]


def _year(digits: str | None) -> int:
    """The year with these digits; of two, as spreadsheets read them: 29 is 2029, and 30 is 1930."""
    number = int(digits or 0)
    if len(digits or "") == len("26"):
        number += 1900 if 1900 + number in _LAST_CENTURY else 2000
    return number


def _longest(month: int) -> int:
    """The days of a month in a leap year."""
    return calendar.monthrange(2000, month)[1]


def _month(word: str) -> tuple[int, str]:
    """The number of the month with this name, whole or abbreviated, and the first language that has it; 0 for none."""
    word = word.casefold()
    if contraction := _CONTRACTIONS.get(word):
        language, number = contraction
        return number, language
    months = (
        (number, language)
        for language, names in _MONTHS.items()
        for number, name in enumerate(names, 1)
        if name.startswith(word)
    )
    return next(months, (0, "en"))


def _names(language: str, month: int, number: int) -> Iterator[str]:
    """The names that a language reads as this month and number; symbols of genes are written in ASCII."""
    name = _MONTHS[language][month - 1]
    return (
        f"{name[:length].upper()}{number}" for length in _LENGTHS if length <= len(name) and name[:length].isascii()
    )


def _scientific(digits: str, exponent: int) -> Iterator[str]:
    """The names that are read as this number: the digits that it shows, the zeros that it may have lost, and the E."""
    digits = digits.rstrip("0") or "0"
    for length in range(len(digits), _LONGEST_NUMBER + 1):
        zeros = exponent - length + 1
        if zeros >= 0:
            yield f"{digits.ljust(length, '0')}E{zeros}"
            yield f"{digits.ljust(length, '0')}E{zeros:02}"
