"""esearch and espell: terms to UIDs, and words to better spellings."""

import datetime as dt
import re
import string
from collections.abc import Iterator
from typing import Any

from biofact.sandbox.dialects.eutils import mapping, terms, writing
from biofact.sandbox.dialects.eutils.asking import Question, bad_request
from biofact.sandbox.dialects.eutils.writing import Element
from biofact.sandbox.standin import Reply

_DEFAULT_RETMAX = 20
_LAST_RETSTART = {"pubmed": 9998}  # other databases can be paged to their end


def esearch(question: Question) -> Reply:
    """The UIDs that a term finds, how it was understood, and what of it was not."""
    is_json, database = question.is_json, question.database
    reading = mapping.read(
        _term(question),
        database,
        field=question.ask.one("field") or terms.ALL_FIELDS,
        sets=question.history.sets(database.name, question.ask.one("WebEnv")),
    )
    if question.ask.one("rettype") == "count":
        return writing.search({"count": str(len(reading.uids))}, is_json=is_json)
    uids = database.rank(reading.uids, question.ask.one("sort"))
    result = {"count": str(len(uids)), **_page(question, uids), **_understood(reading)}
    return writing.search(result, is_json=is_json)


def _term(question: Question) -> str:
    ask = question.ask
    term, query_key = ask.one("term").strip(), ask.one("query_key")
    if query_key:
        question.kept()  # refuses an unknown one
        term = f"#{query_key} AND ({term})" if term else f"#{query_key}"
    if not term:
        raise question.failure("Empty term and query_key - nothing todo")
    dates = _dates(question)
    return f"({term}) AND {dates}" if dates else term


def _dates(question: Question) -> str:
    """The date limits as a part of the term, which is how the real service shows them."""
    ask = question.ask
    low, high, days = ask.one("mindate"), ask.one("maxdate"), question.number("reldate", 0)
    if days:
        today = dt.datetime.now(dt.UTC).date()
        low, high = f"{today - dt.timedelta(days):%Y/%m/%d}", f"{today:%Y/%m/%d}"
    if bool(low) != bool(high):
        raise bad_request("mindate and maxdate must be given together.")
    field = ask.one("datetype", "pdat").upper()
    return f"{low}[{field}] : {high}[{field}]" if low else ""


def _page(question: Question, uids: list[str]) -> dict[str, Any]:
    start = question.number("retstart", 0)
    last = _LAST_RETSTART.get(question.database.name)
    if last is not None and start > last:
        raise question.failure(f"Search Backend failed: Exception: 'retstart' cannot be larger than {last}.")
    page = question.page(uids, _DEFAULT_RETMAX)
    told: dict[str, Any] = {"retmax": str(len(page)), "retstart": str(start)}
    if question.ask.one("usehistory") == "y":
        told["querykey"], told["webenv"] = question.history.keep(
            question.database.name, uids, question.ask.one("WebEnv")
        )
    return {**told, "idlist": page}


def _understood(reading: terms.Reading) -> dict[str, Any]:
    """How the term was understood; lists of what was not stand there only when there is something in them."""
    told: dict[str, Any] = {"translationset": [{"from": given, "to": taken} for given, taken in reading.translations]}
    if reading.stack:
        told["translationstack"] = [_stacked(item) for item in reading.stack]
    told["querytranslation"] = reading.translation
    errors = {"phrasesnotfound": reading.phrases_not_found, "fieldsnotfound": reading.fields_not_found}
    warnings = {
        "phrasesignored": reading.phrases_ignored,
        "quotedphrasesnotfound": reading.quoted_phrases_not_found,
        "outputmessages": reading.messages,
    }
    notes = {"errorlist": errors, "warninglist": warnings}
    return told | {name: lists for name, lists in notes.items() if any(lists.values())}


def _stacked(item: terms.TermSet | str) -> dict[str, str] | str:
    if isinstance(item, str):
        return item
    return {"term": item.term, "field": item.field, "count": str(item.count), "explode": item.explode}


def espell(question: Question) -> Reply:
    """The term with unknown words spelt better, one edit away. XML only."""
    term = question.ask.one("term")
    pieces: list[Element] = []
    for piece in re.split(r"(\w+)", term):
        better = _better(question, piece.lower()) if piece[:1].isalnum() else None
        if piece:
            pieces.append(Element("Replaced", better) if better else Element("Original", piece))
    is_better = any(piece.name == "Replaced" for piece in pieces)
    content = [
        Element("Database", question.database.name),
        Element("Query", term),
        Element("CorrectedQuery", "".join(str(piece.content) for piece in pieces).lower() if is_better else ""),
        Element("SpelledQuery", pieces if is_better else ""),
        Element("ERROR"),
    ]
    return writing.xml_reply("eSpellResult", content)


def _better(question: Question, word: str) -> str | None:
    def hits(spelling: str) -> int:
        return len(question.database.lookup("all fields", spelling) or ())

    if word.isdecimal() or word.upper() in {"AND", "OR", "NOT"} or len(word) > _LONGEST_SPELT or hits(word):
        return None
    best = max(_one_edit_away(word), key=hits)
    return best if hits(best) else None


_LONGEST_SPELT = 30


def _one_edit_away(word: str) -> Iterator[str]:
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        yield before + after[1:]
        yield before + after[1:2] + after[:1] + after[2:]
        for letter in string.ascii_lowercase + string.digits:
            yield before + letter + after
            yield before + letter + after[1:]
