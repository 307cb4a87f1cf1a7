"""Cuts answers for many IDs into records, each trimmed to what is read of it. Pure.

A record has a few kilobytes once its drawing coordinates are left out: a whole answer is held at a time.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from biofact.dialects.json_splitter import WholeAnswer
from biofact.dialects.json_values import document, objects, text, texts
from biofact.sources.chembl.parse.documents import listed
from biofact.transport.service import Transient


def molecules(ids: Sequence[str]) -> WholeAnswer:
    """Of ``molecule/set``: a molecule each; those listed as not found are left out, so that they count as absent."""

    def read(body: bytes) -> Iterator[tuple[str, bytes]]:
        by_id = {text(row, "molecule_chembl_id"): row for row in listed(body, "molecules").rows}
        yield from ((native_id, orjson.dumps(trimmed(by_id[native_id]))) for native_id in ids if native_id in by_id)
        if missing := {*ids} - by_id.keys() - {*texts(document(body), "not_found")}:
            raise Transient(f"left out {len(missing)} of the molecules that were asked for")

    return WholeAnswer(read)


def rows(ids: Sequence[str], name: str, *keys: str, may_be_none: bool = True) -> WholeAnswer:
    """Of a list filtered by these IDs: all rows of each, by the first of ``keys`` that a row has, as a list.

    ``is_cut`` says that the list goes on, so that rows may be missing. An ID without rows has an empty list, or is left
    out, so that it counts as absent.
    """

    def read(body: bytes) -> Iterator[tuple[str, bytes]]:
        page = listed(body, name)
        by_id: dict[str, list[dict[str, Any]]] = {native_id: [] for native_id in ids}
        for row in page.rows:
            key = next((value for value in (text(row, key) for key in keys) if value), "")
            if key in by_id:
                by_id[key].append(row)
        is_cut = page.total > len(page.rows)
        for native_id, own in by_id.items():
            if own or may_be_none or is_cut:
                yield native_id, orjson.dumps({name: own, "is_cut": is_cut})

    return WholeAnswer(read)


def kept(payload: bytes, name: str) -> tuple[list[dict[str, Any]], bool]:
    """The rows of one ID, and whether the list that they were read from was cut."""
    found = document(payload)
    return objects(found, name), found.get("is_cut") is True


def trimmed(values: dict[str, Any]) -> dict[str, Any]:
    """A molecule without the coordinates of its drawing, which are most of its bytes."""
    structures = values.get("molecule_structures")
    if not isinstance(structures, dict):
        return values
    return {**values, "molecule_structures": {name: structures[name] for name in structures if name != "molfile"}}
