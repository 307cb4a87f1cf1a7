"""A structure's IDs in other databases, and the PDB entries that hold it. Pure."""

import re
from dataclasses import dataclass

from biofact.dialects.json_values import document, number, objects, text, texts
from biofact.transport.service import Transient

_KEYS = {2: "drugbank", 6: "kegg", 22: "pubchem_compound"}
"""UniChem's numbers of the databases that the registry knows (UPSTREAMS 5, read 2026-11-20)."""
_LIGANDS = 3
_LIGAND = re.compile(r"[A-Z0-9]{1,3}|[A-Z0-9]{5}")


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What UniChem knows of one structure."""

    ids: tuple[tuple[str, str], ...]
    """Key of the registry and the ID there, as it came."""
    ligands: tuple[str, ...]
    """Codes of the PDB's ligands, of one to three characters, or five."""


NOWHERE = Elsewhere((), ())


def elsewhere(inchi_key: str, body: bytes) -> Elsewhere:
    """What UniChem answers; nothing when it does not know the structure, which it says under 200.

    Raises:
        Transient: the body is damaged, or something else.
    """
    found = document(body)
    message = text(found, "response")
    if message is None:
        raise Transient("sent something other than an answer of UniChem")
    if message.casefold() == "not found":
        return NOWHERE
    compounds = objects(found, "compounds")
    own = [compound for compound in compounds if text(compound, "standardInchiKey") == inchi_key]
    if not own:
        raise Transient(f"answered {message!r:.60} without the structure that was asked for")
    sources = [(number(row, "id"), text(row, "compoundId")) for compound in own for row in objects(compound, "sources")]
    known = [(_KEYS[source], value) for source, value in sources if source in _KEYS and value]
    ligands = [value for source, value in sources if source == _LIGANDS and value and _LIGAND.fullmatch(value)]
    return Elsewhere(tuple(dict.fromkeys(known)), tuple(dict.fromkeys(ligands)))


def entries(ligand: str, body: bytes) -> list[str]:
    """The PDB entries that hold a ligand, in PDBe's order.

    Raises:
        Transient: the body is damaged, or speaks of another ligand.
    """
    found = document(body)
    key = next((name for name in found if name.casefold() == ligand.casefold()), None)
    if key is None or not isinstance(found[key], list):
        raise Transient("sent no entries of the ligand that was asked for")
    return [_entry(code) for code in texts(found, key)]


def _entry(code: str) -> str:
    """Codes of four characters are written in capitals, the longer new ones as they are."""
    return code.upper() if len(code) == 4 else code  # noqa: PLR2004  # the length is the form
