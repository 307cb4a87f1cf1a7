"""A database and its fields as a stand-in serves them, and the History server that all databases share."""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from biofact.sandbox.dialects.eutils.replies import Item
from biofact.sandbox.dialects.eutils.terms import Index
from biofact.sandbox.tables import Row, pick_fields

# The databases that einfo lists, as Biopython last recorded them (2025).
_NAMES = (
    "pubmed protein nuccore ipg nucleotide structure genome annotinfo assembly bioproject biosample blastdbinfo books "
    "cdd clinvar gap gapplus grasp dbvar gene gds geoprofiles medgen mesh nlmcatalog omim orgtrack pmc proteinclusters "
    "pcassay protfam pccompound pcsubstance seqannot snp sra taxonomy biocollections gtr"
)
DATABASES = tuple(_NAMES.split())


class ServedDatabase(Index, Protocol):
    """One E-utilities database as a source stands in for it. UIDs are strings of digits."""

    name: str
    link_rows: Sequence[Row] = ()
    """The links as einfo has them."""

    def rank(self, uids: Iterable[str], sort: str) -> list[str]:
        """The UIDs in the order of ``sort``, esearch's parameter; empty is the database's own order."""

    def fetch(self, uids: Sequence[str]) -> Iterator[bytes]:
        """The whole efetch XML, piece by piece; unknown UIDs are left out."""

    def links(self, uid: str, linkname: str) -> Sequence[str] | None:
        """UIDs that ``uid`` leads to; None when there is no such link name."""

    def linknames(self, db: str) -> Sequence[str]:
        """The link names that lead to ``db``, or to anywhere when it is empty."""
        return [link["name"] for link in self.link_rows if db in {"", link["dbto"]}]

    def info(self) -> dict[str, Any]:
        """The description for einfo: ``menuname``, ``description``, ``fields`` and ``links``.

        A field has ``name``, ``fullname`` and ``description``, a link ``name``, ``menu``, ``description`` and ``dbto``.
        """


@runtime_checkable
class TextRecords(Protocol):
    """A database that writes its records as text, too."""

    text_forms: tuple[str, ...]
    """The values of ``rettype`` that it knows."""

    def fetch_text(self, uids: Sequence[str], form: str) -> Iterator[bytes]:
        """The records in one of ``text_forms``, piece by piece; unknown UIDs are left out."""


@runtime_checkable
class ItemSummaries(Protocol):
    """A database with summaries in esummary's first version, XML's default."""

    def docsum_items(self, uid: str) -> Sequence[Item] | None:
        """The items of a summary, in their order; None for an unknown UID."""


class HistoryServer:
    """Lists of UIDs kept on the server: a WebEnv holds several, each under a query key."""

    def __init__(self) -> None:
        self._lists: dict[str, list[tuple[str, tuple[str, ...]]]] = {}

    def keep(self, db: str, uids: Iterable[str], web_env: str = "") -> tuple[str, str]:
        """The query key and WebEnv under which ``uids`` are now kept; an unknown ``web_env`` starts a new one."""
        if web_env not in self._lists:
            web_env = f"MCID_{secrets.token_hex(12)}"
            self._lists[web_env] = []
            while len(self._lists) > _MOST_ENVIRONMENTS:  # the oldest go; at NCBI they last some hours
                self._lists.pop(next(iter(self._lists)))
        self._lists[web_env].append((db, tuple(uids)))
        return str(len(self._lists[web_env])), web_env

    def sets(self, db: str, web_env: str) -> dict[str, tuple[str, ...]]:
        """All lists of ``db`` in a WebEnv, by query key."""
        lists = self._lists.get(web_env, ())
        return {str(key): uids for key, (list_db, uids) in enumerate(lists, start=1) if list_db == db}


_MOST_ENVIRONMENTS = 1000

HISTORY = HistoryServer()
"""One for all databases, as at NCBI: links from one database are kept as a list of another."""


C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class SearchField(Generic[C]):
    """A field tag, such as ``[PREF]``, over a corpus ``C``. ``name`` is the full one."""

    tag: str
    name: str
    find: Callable[[C, str], Iterable[str]]
    """UIDs that match a phrase in lower case; ``*`` at its end stands for more."""
    other_tags: tuple[str, ...] = ()
    """Further spellings of the tag."""


class FieldTable(Generic[C]):
    """The search fields of one database; some are hidden from einfo.

    Rows are as einfo has them, with further spellings of the tag in ``also``; a field without a finder finds nothing.
    """

    def __init__(
        self,
        rows: Iterable[Row],
        finders: Mapping[str, Callable[[C, str], Iterable[str]]],
        *,
        hidden_fields: Iterable[SearchField[C]] = (),
    ) -> None:
        self._rows = tuple(rows)
        self.by_spelling: dict[str, SearchField[C]] = {}
        for row in self._rows:
            find = finders.get(row["name"], lambda corpus, phrase: ())
            self._add(SearchField(row["name"], row["fullname"], find, tuple(row["also"])))
        for field in hidden_fields:
            self._add(field)

    def _add(self, field: SearchField[C]) -> None:
        self.by_spelling |= dict.fromkeys((field.tag.lower(), field.name.lower(), *field.other_tags), field)

    def find(self, corpus: C, field: str, phrase: str) -> list[str] | None:
        """UIDs of the records that match ``phrase`` in ``field``, both in lower case; None for an unknown field."""
        search_field = self._field(field)
        return None if search_field is None else list(dict.fromkeys(search_field.find(corpus, phrase.strip())))

    def full_name(self, field: str) -> str:
        """The field's full name; an unknown one as it is."""
        _, sign, distance = field.partition(":~")
        search_field = self._field(field)
        return f"{search_field.name}{sign}{distance}" if search_field else field

    def _field(self, spelling: str) -> SearchField[C] | None:
        """The field of this spelling; a field with a distance that has no row of its own is the field itself."""
        return self.by_spelling.get(spelling) or self.by_spelling.get(spelling.partition(":~")[0])

    def einfo_rows(self) -> list[Row]:
        """The fields as einfo lists them."""
        return [pick_fields(row, "name fullname description") for row in self._rows]
