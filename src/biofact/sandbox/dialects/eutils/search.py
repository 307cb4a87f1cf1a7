"""esearch and espell: terms to UIDs, and words to better spellings."""

import datetime as dt
import re
import string
from collections.abc import Iterator
from typing import Any

from biofact.sandbox.dialects.eutils import mapping, replies, terms
from biofact.sandbox.dialects.eutils.replies import Element
from biofact.sandbox.dialects.eutils.requests import EutilsRequest, bad_request
from biofact.sandbox.standin import Reply

_DEFAULT_RETMAX = 20
_LAST_RETSTART = {"pubmed": 9998}  # other databases can be paged to their end


def esearch(request: EutilsRequest) -> Reply:
    """The UIDs that a term finds, how it was understood, and what of it was not."""
    is_json, database = request.is_json, request.database
    result = mapping.read(
        _term(request),
        database,
        field=request.ask.one("field") or terms.ALL_FIELDS,
        sets=request.history.sets(database.name, request.ask.one("WebEnv")),
    )
    if request.ask.one("rettype") == "count":
        return replies.search({"count": str(len(result.uids))}, is_json=is_json)
    uids = database.rank(result.uids, request.ask.one("sort"))
    payload = {"count": str(len(uids)), **_page(request, uids), **_interpretation(result)}
    return replies.search(payload, is_json=is_json)


def _term(request: EutilsRequest) -> str:
    ask = request.ask
    term, query_key = ask.one("term").strip(), ask.one("query_key")
    if query_key:
        request.history_uids()  # refuses an unknown one
        term = f"#{query_key} AND ({term})" if term else f"#{query_key}"
    if not term:
        raise request.failure("Empty term and query_key - nothing todo")
    dates = _dates(request)
    return f"({term}) AND {dates}" if dates else term


def _dates(request: EutilsRequest) -> str:
    """The date limits as a part of the term, which is how the real service shows them."""
    ask = request.ask
    low, high, days = ask.one("mindate"), ask.one("maxdate"), request.number("reldate", 0)
    if days:
        today = dt.datetime.now(dt.UTC).date()
        low, high = f"{today - dt.timedelta(days):%Y/%m/%d}", f"{today:%Y/%m/%d}"
    if bool(low) != bool(high):
        raise bad_request("mindate and maxdate must be given together.")
    field = ask.one("datetype", "pdat").upper()
    return f"{low}[{field}] : {high}[{field}]" if low else ""


def _page(request: EutilsRequest, uids: list[str]) -> dict[str, Any]:
    start = request.number("retstart", 0)
    last = _LAST_RETSTART.get(request.database.name)
    if last is not None and start > last:
        raise request.failure(f"Search Backend failed: Exception: 'retstart' cannot be larger than {last}.")
    page = request.page(uids, _DEFAULT_RETMAX)
    fields: dict[str, Any] = {"retmax": str(len(page)), "retstart": str(start)}
    if request.ask.one("usehistory") == "y":
        fields["querykey"], fields["webenv"] = request.history.keep(
            request.database.name, uids, request.ask.one("WebEnv")
        )
    return {**fields, "idlist": page}


def _interpretation(result: terms.TermResult) -> dict[str, Any]:
    """How the term was understood; lists of what was not stand there only when there is something in them."""
    fields: dict[str, Any] = {"translationset": [{"from": given, "to": taken} for given, taken in result.translations]}
    if result.stack:
        fields["translationstack"] = [_stacked(item) for item in result.stack]
    fields["querytranslation"] = result.translation
    errors = {"phrasesnotfound": result.phrases_not_found, "fieldsnotfound": result.fields_not_found}
    warnings = {
        "phrasesignored": result.phrases_ignored,
        "quotedphrasesnotfound": result.quoted_phrases_not_found,
        "outputmessages": result.messages,
    }
    notes = {"errorlist": errors, "warninglist": warnings}
    return fields | {name: lists for name, lists in notes.items() if any(lists.values())}


def _stacked(item: terms.TermSet | str) -> dict[str, str] | str:
    if isinstance(item, str):
        return item
    return {"term": item.term, "field": item.field, "count": str(item.count), "explode": item.explode}


def espell(request: EutilsRequest) -> Reply:
    """The term with unknown words spelt better, one edit away. XML only."""
    term = request.ask.one("term")
    pieces: list[Element] = []
    for piece in re.split(r"(\w+)", term):
        better = _better(request, piece.lower()) if piece[:1].isalnum() else None
        if piece:
            pieces.append(Element("Replaced", better) if better else Element("Original", piece))
    is_better = any(piece.name == "Replaced" for piece in pieces)
    content = [
        Element("Database", request.database.name),
        Element("Query", term),
        Element("CorrectedQuery", "".join(str(piece.content) for piece in pieces).lower() if is_better else ""),
        Element("SpelledQuery", pieces if is_better else ""),
        Element("ERROR"),
    ]
    return replies.xml_reply("eSpellResult", content)


def _better(request: EutilsRequest, word: str) -> str | None:
    def hits(spelling: str) -> int:
        return len(request.database.lookup("all fields", spelling) or ())

    if word.isdecimal() or word.upper() in {"AND", "OR", "NOT"} or len(word) > _LONGEST_CORRECTED_WORD or hits(word):
        return None
    best = max(_one_edit_away(word), key=hits)
    return best if hits(best) else None


_LONGEST_CORRECTED_WORD = 30


def _one_edit_away(word: str) -> Iterator[str]:
    for position in range(len(word) + 1):
        before, after = word[:position], word[position:]
        yield before + after[1:]
        yield before + after[1:2] + after[:1] + after[2:]
        for letter in string.ascii_lowercase + string.digits:
            yield before + letter + after
            yield before + letter + after[1:]
