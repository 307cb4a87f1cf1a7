"""The search fields of a database of Entrez, by any spelling of their tags."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from biofact.sandbox.tables import Row

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class SearchField(Generic[C]):
    """A field tag, such as ``[PREF]``, over a corpus ``C``. Names and descriptions as einfo gives them."""

    tag: str
    name: str
    description: str
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
        self.listed = tuple(
            SearchField(tag, row["fullname"], row["description"], finders.get(tag, _nothing), tuple(row["also"]))
            for row in rows
            for tag in (row["name"],)
        )
        self.by_spelling = {
            spelling: field
            for field in (*self.listed, *unlisted)
            for spelling in (field.tag.lower(), field.name.lower(), *field.also)
        }

    def find(self, corpus: C, field: str, phrase: str) -> list[str] | None:
        """UIDs of the records that match ``phrase`` in ``field``, both in lower case; None for an unknown field."""
        known = self.by_spelling.get(field)
        return None if known is None else list(dict.fromkeys(known.find(corpus, phrase.strip())))

    def full_name(self, field: str) -> str:
        """The field's full name; an unknown one as it is."""
        known = self.by_spelling.get(field)
        return known.name if known else field

    def described(self) -> list[tuple[str, str, str]]:
        """Tag, name and description of each field that einfo lists."""
        return [(field.tag, field.name, field.description) for field in self.listed]


def _nothing(_corpus: object, _phrase: str) -> Iterable[str]:
    return ()
