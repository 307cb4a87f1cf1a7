"""Recorded molecules: those of single answers and of pages, and what a search for dopamine found."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from biofact.sandbox.services.chembl.requests import BASE_PATH
from biofact.sandbox.tables import Row

_SEARCHED = "chembl/search_results_Dopamine.json"
"""A list of 139 molecules; which request it answers is not recorded."""
_SINGLE = re.compile(re.escape(BASE_PATH) + r"/molecule/CHEMBL\d+(\.json)?")
_LISTED = re.compile(re.escape(BASE_PATH) + r"/(molecule|similarity)\.json")
_NEEDED = {"molecule_chembl_id", "pref_name", "molecule_structures"}
"""Without these a row was trimmed."""
_OF_THE_QUESTION = {"score", "similarity"}
"""What rows of a search tell of how well they fit, and not of the molecule."""


def recorded_molecules(recordings: Path) -> list[Row]:
    """Every molecule in a folder of recordings, once, as recorded; single answers come before lists."""
    found: dict[str, Row] = {}
    for name in _files(recordings):
        whole = [row for row in _rows(orjson.loads((recordings / name).read_bytes())) if row.keys() >= _NEEDED]
        for row in whole:
            kept = {key: value for key, value in row.items() if key not in _OF_THE_QUESTION}
            found.setdefault(row["molecule_chembl_id"], kept)
    return list(found.values())


def _files(recordings: Path) -> Iterator[str]:
    with (recordings / "REQUESTS.tsv").open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    whole = [row for row in rows if row["service"] == "chembl" and row["fidelity"] in {"body", "rewrapped"}]
    best_first = sorted(whole, key=lambda row: (row["era"] != "today", row["file"]))
    for form in (_SINGLE, _LISTED):
        yield from (row["file"] for row in best_first if form.fullmatch(row["path"]) and row["status"] == "200")
    if (recordings / _SEARCHED).is_file():
        yield _SEARCHED


def _rows(document: Any) -> list[Row]:
    if isinstance(document, list):
        return document
    rows: list[Row] = document.get("molecules", [document])
    return rows
