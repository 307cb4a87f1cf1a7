"""The stand-in for ChEMBL's web services: takes a request to the resource that its path names."""

from collections.abc import Iterable, Sequence

from biofact.sandbox.recordings import Recorded, Replay
from biofact.sandbox.services.chembl.fields import resources
from biofact.sandbox.services.chembl.filters import Spellings
from biofact.sandbox.services.chembl.molecules import Molecules
from biofact.sandbox.services.chembl.replay import ChemblReplay
from biofact.sandbox.services.chembl.requests import CONTROLS, as_get, check_form, check_names, refused
from biofact.sandbox.services.chembl.rows import whole_rows
from biofact.sandbox.services.chembl.spore import SPORE_PATH, spore
from biofact.sandbox.services.chembl.tables import ResourceTable
from biofact.sandbox.services.chembl.targets import Targets
from biofact.sandbox.standin import Ask, RefusingStandIn, Reply, plain_path, written
from biofact.sandbox.tables import Row, Rows
from biofact.sources.chembl.service import CHEMBL

_RELEASE = {
    "api_version": "sandbox",
    "chembl_db_version": "ChEMBL_37",
    "chembl_release_date": "2026-05-01",
    "status": "UP",
}


class ChemblStandIn(RefusingStandIn):
    """Answers as ChEMBL does over starter rows, and over ``recorded`` molecules that these do not have."""

    service = CHEMBL

    def __init__(self, rows: Rows, recorded: Iterable[Row] = ()) -> None:
        whole = whole_rows(rows, recorded)
        self._molecules = Molecules(whole["molecule"], _spellings(rows.get("molecule", ())))
        self._targets = Targets(whole["target"])
        searched: dict[str, ResourceTable] = {"molecule": self._molecules, "target": self._targets}
        others = {name: ResourceTable(one, whole[name]) for name, one in resources().items() if name not in searched}
        self._tables = {**searched, **others}
        self._searches = {
            "molecule/search": self._molecules.search,
            "target/search": self._targets.search,
            "similarity": self._molecules.similar,
            "substructure": self._molecules.holding,
        }
        self._status = {
            **_RELEASE,
            "activities": len(whole["activity"]),
            "compound_records": len(whole["molecule"]),
            "disinct_compounds": len(whole["molecule"]),  # so spelt by the real service
            "publications": len({row["document_chembl_id"] for row in whole["activity"]} - {None}),
            "targets": len(whole["target"]),
        }

    def answer(self, ask: Ask) -> Reply:
        """The answer in ChEMBL's form."""
        ask = as_get(ask)
        if plain_path(ask.path) == SPORE_PATH:
            return written(spore(self._tables, ask.headers.get("host", "")))
        check_form(ask)
        return self._answered(ask)

    def replay(self, recordings: Sequence[Recorded]) -> Replay:
        """The rule by which recorded answers are replayed."""
        return ChemblReplay(recordings)

    def _answered(self, ask: Ask) -> Reply:
        path = plain_path(ask.path).removeprefix("/")
        if path in self._searches:
            return self._searches[path](ask)
        resource, _, rest = path.partition("/")
        if resource == "status" and not rest:
            check_names(ask, CONTROLS - {"only"})
            return written(self._status)
        table = self._tables.get(resource)
        if table is None:
            raise refused(f"The sandbox has no resource {resource!r:.80}.", status=404)
        if not rest:
            return table.list_page(ask)
        if rest.startswith("set/"):
            return table.several(ask, rest.removeprefix("set/"))
        return table.one(ask, rest)


def _spellings(molecules: Iterable[Row]) -> Spellings:
    """Other SMILES of a molecule, which its row has beside what is sent."""
    found: dict[str, frozenset[str]] = {}
    for row in molecules:
        for smiles in row.get("also_smiles", ()):
            canonical = row["molecule_structures"]["canonical_smiles"]
            found[smiles] = found.get(smiles, frozenset()) | {canonical}
    return found
