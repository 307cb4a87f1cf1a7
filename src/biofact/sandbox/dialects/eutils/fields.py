"""The search fields of a database of Entrez, by any spelling of their tags."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from biofact.sandbox.tables import Row, only

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class SearchField(Generic[C]):
    """A field tag, such as ``[PREF]``, over a corpus ``C``. ``name`` is the full one."""

    tag: str
    name: str
    find: Callable[[C, str], Iterable[str]]
    """UIDs that match a phrase in lower case; ``*`` at its end stands for more."""
    also: tuple[str, ...] = ()
    """Further spellings of the tag."""


class FieldTable(Generic[C]):
    """The fields of one database, and those that einfo does not tell.

    Rows are as einfo has them, with further spellings of the tag in ``also``; a field without a finder finds nothing.
    """

    def __init__(
        self,
        rows: Iterable[Row],
        finders: Mapping[str, Callable[[C, str], Iterable[str]]],
        *,
        unlisted: Iterable[SearchField[C]] = (),
    ) -> None:
        self._rows = tuple(rows)
        listed = (
            SearchField(row["name"], row["fullname"], finders.get(row["name"], _nothing), tuple(row["also"]))
            for row in self._rows
        )
        self.by_spelling = {
            spelling: field
            for field in (*listed, *unlisted)
            for spelling in (field.tag.lower(), field.name.lower(), *field.also)
        }

    def find(self, corpus: C, field: str, phrase: str) -> list[str] | None:
        """UIDs of the records that match ``phrase`` in ``field``, both in lower case; None for an unknown field."""
        known = self.by_spelling.get(field) or self.by_spelling.get(field.partition(":~")[0])
        return None if known is None else list(dict.fromkeys(known.find(corpus, phrase.strip())))

    def full_name(self, field: str) -> str:
        """The field's full name; an unknown one as it is."""
        name, sign, distance = field.partition(":~")
        known = self.by_spelling.get(field) or self.by_spelling.get(name)
        return f"{known.name}{sign}{distance}" if known else field

    def described(self) -> list[Row]:
        """The fields as einfo lists them."""
        return [only(row, "name fullname description") for row in self._rows]


def _nothing(_corpus: object, _phrase: str) -> Iterable[str]:
    return ()
