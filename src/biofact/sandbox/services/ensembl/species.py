"""The species that the stand-in knows, by division and by any of their names."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import orjson

from biofact.sandbox.tables import Row

VERTEBRATES = "EnsemblVertebrates"
_FILES = "ensembl/info_species_*.json"


class ServedSpecies:
    """Rows of species; a name is a production name or one of the aliases, as in Ensembl's registry."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._divisions: dict[str, list[Row]] = defaultdict(list)
        self._named: dict[str, Row] = {}
        for row in rows:
            self._divisions[row["division"]].append(row)
            self._named.setdefault(row["name"].lower(), row)
        for row in rows:  # after the names, for a strain may have its species' as an alias
            for alias in row["aliases"]:
                self._named.setdefault(alias.lower(), row)

    def of(self, division: str) -> Sequence[Row]:
        """The species of a division; none for an unknown one."""
        return self._divisions.get(division, ())

    def named(self, name: str) -> Row | None:
        """The species with this production name or alias, in whatever case."""
        return self._named.get(name.lower())


def recorded_species(recordings: Path) -> list[Row]:
    """The species of the recorded answers of info/species; empty without recordings."""
    files = sorted(recordings.glob(_FILES))
    return [row for file in files for row in orjson.loads(file.read_bytes())["species"]]
