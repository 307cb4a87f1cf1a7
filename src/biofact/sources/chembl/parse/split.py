"""Cuts answers for many IDs into records, each trimmed to what is read of it. Pure.

A record has a few kilobytes once its drawing coordinates are left out: a whole answer is held at a time.
"""

from collections.abc import Callable, Sequence
from typing import Any

import orjson

from biofact.dialects.json_values import objects, text, texts
from biofact.sources.chembl.parse.documents import listed, mapping
from biofact.transport.service import MIB, BodyTooLarge, Transient

LARGEST_ANSWER = 64 * MIB

Records = list[tuple[str, bytes]]


class Whole:
    """Reads an answer when all of it is there."""

    def __init__(self, read: Callable[[bytes], tuple[Records, str]]) -> None:
        """``read`` tells the records, and in words what is lacking, if anything is."""
        self._read = read
        self._lacking = ""
        self._buffer = bytearray()
        self._has_ended = False

    def feed(self, chunk: bytes) -> Records:
        """The records, once the last chunk is there.

        Raises:
            Transient: the body is damaged.
            BodyTooLarge: it is beyond the cap.
        """
        if self._has_ended and chunk.strip():
            raise Transient("sent something after the end of its answer")
        self._buffer += chunk
        if len(self._buffer) > LARGEST_ANSWER:
            raise BodyTooLarge(f"sent an answer of more than {LARGEST_ANSWER // MIB} MiB")
        if not chunk.rstrip().endswith(b"}"):
            return []
        try:
            orjson.loads(self._buffer)
        except orjson.JSONDecodeError:  # the brace was a record's own
            return []
        self._has_ended = True
        records, self._lacking = self._read(bytes(self._buffer))
        return records

    def close(self) -> None:
        """Say that the body has ended.

        Raises:
            Transient: it ended before its end, or something is lacking.
        """
        if not self._has_ended:
            raise Transient("sent an answer that is cut short, or no JSON")
        if self._lacking:
            raise Transient(self._lacking)


def molecules(ids: Sequence[str]) -> Whole:
    """Of ``molecule/set``: a molecule each; those listed as not found are left out, so that they count as absent."""

    def read(body: bytes) -> tuple[Records, str]:
        found = listed(body, "molecules").rows
        by_id = {text(one, "molecule_chembl_id"): one for one in found}
        absent = set(texts(mapping(body), "not_found"))
        unsaid = [one for one in ids if one not in by_id and one not in absent]
        lacking = f"left out {len(unsaid)} of the molecules that were asked for" if unsaid else ""
        return [(one, orjson.dumps(trimmed(by_id[one]))) for one in ids if one in by_id], lacking

    return Whole(read)


def rows(ids: Sequence[str], name: str, *keys: str, may_be_none: bool = True) -> Whole:
    """Of a list filtered by these IDs: all rows of each, by the first of ``keys`` that a row has, as a list.

    ``is_cut`` says that the list goes on, so that rows may be missing. An ID without rows has an empty list, or is left
    out, so that it counts as absent.
    """

    def read(body: bytes) -> tuple[Records, str]:
        page = listed(body, name)
        by_id: dict[str, list[dict[str, Any]]] = {one: [] for one in ids}
        for row in page.rows:
            key = next((value for value in (text(row, key) for key in keys) if value), "")
            if key in by_id:
                by_id[key].append(row)
        is_cut = page.total > len(page.rows)
        records = [(one, orjson.dumps({name: own, "is_cut": is_cut})) for one, own in by_id.items()]
        return [(one, record) for one, record in records if by_id[one] or may_be_none or is_cut], ""

    return Whole(read)


def kept(payload: bytes, name: str) -> tuple[list[dict[str, Any]], bool]:
    """The rows of one ID, and whether the list that they were read from was cut."""
    found = mapping(payload)
    return objects(found, name), found.get("is_cut") is True


def trimmed(values: dict[str, Any]) -> dict[str, Any]:
    """A molecule without the coordinates of its drawing, which are most of its bytes."""
    structures = values.get("molecule_structures")
    if not isinstance(structures, dict):
        return values
    return {**values, "molecule_structures": {name: structures[name] for name in structures if name != "molfile"}}
