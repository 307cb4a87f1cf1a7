"""The stand-in for PDBe: the PDB entries that hold a ligand. Shapes follow public clients; no recording shows them."""

import re

from biofact.sandbox.standin import Ask, Reply, written
from biofact.sandbox.tables import Rows
from biofact.sources.chembl.service import PDBE

_PATH = re.compile(r"/pdb/compound/in_pdb/([^/]+)")


class PdbeStandIn:
    """Answers as PDBe does over the rows of ligands."""

    service = PDBE

    def __init__(self, rows: Rows) -> None:
        self._ligands = {row["code"]: row["entries"] for row in rows.get("pdb_ligand", ())}

    def reply(self, ask: Ask) -> Reply:
        """The answer in PDBe's form: the entries by the code; an unknown code is 404 with an empty object."""
        found = _PATH.fullmatch(ask.path.removesuffix("/"))
        if found is None:
            return written({"error": f"The sandbox has no {ask.path}."}, status=404)
        if ask.method != "GET":
            return written({"error": f"{ask.path} is asked with GET."}, status=405)
        if ask.params:
            return written({"error": f"{ask.path} has no parameters."}, status=400)
        entries = self._ligands.get(found[1])
        return written({found[1]: entries} if entries else {}, status=200 if entries else 404)
