"""The species that the stand-in knows, by division and by any of their names."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import orjson

from biofact.sandbox.services.ensembl.facts import SpeciesFacts

VERTEBRATES = "EnsemblVertebrates"
_FILES = "ensembl/info_species_*.json"


class ServedSpecies:
    """Species by division; a name is a production name or one of the aliases, as in Ensembl's registry."""

    def __init__(self, divisions: Mapping[str, Sequence[SpeciesFacts]]) -> None:
        self._divisions = divisions
        self._named: dict[str, SpeciesFacts] = {}
        everything = [species for several in divisions.values() for species in several]
        for species in everything:
            self._named.setdefault(species.name.lower(), species)
        for species in everything:  # after the names, for a strain may have its species' as an alias
            for alias in species.aliases:
                self._named.setdefault(alias.lower(), species)

    def of(self, division: str) -> Sequence[SpeciesFacts]:
        """The species of a division; none for an unknown one."""
        return self._divisions.get(division, ())

    def named(self, name: str) -> SpeciesFacts | None:
        """The species with this production name or alias, in whatever case."""
        return self._named.get(name.lower())


def recorded_species(recordings: Path) -> dict[str, list[SpeciesFacts]]:
    """The species of the recorded answers of info/species, by division; empty without recordings."""
    divisions: dict[str, list[SpeciesFacts]] = {}
    for file in sorted(recordings.glob(_FILES)):
        for row in orjson.loads(file.read_bytes())["species"]:
            divisions.setdefault(row["division"], []).append(_species(row))
    return divisions


def _species(row: Mapping[str, object]) -> SpeciesFacts:
    aliases = row["aliases"]
    return SpeciesFacts(
        name=str(row["name"]),
        display_name=str(row["display_name"]),
        common_name=str(row["common_name"] or ""),
        taxon_id=int(str(row["taxon_id"])),
        assembly=str(row["assembly"] or ""),
        aliases=tuple(map(str, aliases)) if isinstance(aliases, list) else (),
        strain=str(row["strain"] or ""),
        accession=str(row["accession"] or ""),
    )
