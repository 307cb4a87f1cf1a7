"""The stand-in for ChEMBL's web services: takes a request to the resource that its path names."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from biofact.sandbox.services.chembl import render
from biofact.sandbox.services.chembl.facts import ChemblFacts, EntityType, IdFacts, MoleculeFacts
from biofact.sandbox.services.chembl.fields import ACTIVITY, INDICATION, LOOKUP, MECHANISM, TARGET
from biofact.sandbox.services.chembl.filters import Spellings
from biofact.sandbox.services.chembl.molecules import Molecules
from biofact.sandbox.services.chembl.render_activity import activity
from biofact.sandbox.services.chembl.render_molecule import molecule
from biofact.sandbox.services.chembl.replay import ChemblReplay
from biofact.sandbox.services.chembl.requests import CONTROLS, Row, as_get, check_form, check_names, plain_path, refused
from biofact.sandbox.services.chembl.spore import SPORE_PATH, spore
from biofact.sandbox.services.chembl.tables import ResourceTable
from biofact.sandbox.standin import Ask, Recorded, RefusingStandIn, Replay, Reply, written
from biofact.sources.chembl.service import CHEMBL

_API_VERSION = "sandbox"


class ChemblStandIn(RefusingStandIn):
    """Answers as ChEMBL does over ``facts``, and over ``recorded`` molecules that these do not know."""

    service = CHEMBL

    def __init__(self, facts: ChemblFacts, recorded: Iterable[Row] = (), *, release: str, released: str) -> None:
        self._molecules = Molecules(_molecule_rows(facts, recorded), _spellings(facts.molecules))
        self._tables = {"molecule": self._molecules, **_tables(facts)}
        lookups = [render.id_lookup(one, release) for one in _ids(facts, self._molecules.rows)]
        self._tables["chembl_id_lookup"] = ResourceTable("chembl_id_lookups", "chembl_id", LOOKUP, lookups)
        self._status = {
            "activities": len(facts.activities),
            "api_version": _API_VERSION,
            "chembl_db_version": release,
            "chembl_release_date": released,
            "compound_records": len(self._molecules.rows),
            "disinct_compounds": len(self._molecules.rows),  # so spelt by the real service
            "publications": len({one.document for one in facts.activities} - {""}),
            "status": "UP",
            "targets": len(facts.targets),
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
        resource, _, rest = plain_path(ask.path).removeprefix("/").partition("/")
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
        if rest == "search" and table is self._molecules:
            return self._molecules.search(ask)
        return table.one(ask, rest)


def _molecule_rows(facts: ChemblFacts, recorded: Iterable[Row]) -> list[Row]:
    known = {one.id for one in facts.molecules}
    others = [row for row in recorded if row["molecule_chembl_id"] not in known]
    return [*map(molecule, facts.molecules), *others]


def _tables(facts: ChemblFacts) -> dict[str, ResourceTable]:
    molecules = {one.id: one for one in facts.molecules}
    targets = {one.id: one for one in facts.targets}
    parents = {one.id: one.parent or one.id for one in facts.molecules}
    mechanisms = [render.mechanism(one, parents.get(one.molecule, one.molecule)) for one in facts.mechanisms]
    indications = [render.indication(one, parents.get(one.molecule, one.molecule)) for one in facts.indications]
    activities = [activity(one, molecules.get(one.molecule), targets.get(one.target)) for one in facts.activities]
    return {
        "target": ResourceTable("targets", "target_chembl_id", TARGET, map(render.target, facts.targets)),
        "mechanism": ResourceTable("mechanisms", "mec_id", MECHANISM, mechanisms),
        "drug_indication": ResourceTable("drug_indications", "drugind_id", INDICATION, indications),
        "activity": ResourceTable("activities", "activity_id", ACTIVITY, activities),
    }


def _ids(facts: ChemblFacts, molecules: Iterable[Row]) -> Iterable[IdFacts]:
    """Every ID that the facts mention, with what it stands for; what ``facts.ids`` says of one counts most."""
    mentions: tuple[tuple[EntityType, Iterable[str]], ...] = (
        ("COMPOUND", (row["molecule_chembl_id"] for row in molecules)),
        ("TARGET", (one.id for one in facts.targets)),
        ("ASSAY", (one.assay for one in facts.activities)),
        ("DOCUMENT", (one.document for one in facts.activities)),
    )
    ids = {uid: IdFacts(uid, kind) for kind, uids in mentions for uid in uids if uid}
    return (ids | {one.id: one for one in facts.ids}).values()


def _spellings(molecules: Iterable[MoleculeFacts]) -> Spellings:
    found: dict[str, set[str]] = defaultdict(set)
    for one in molecules:
        for smiles in one.also_smiles:
            found[smiles].update([one.structure.smiles] if one.structure else ())
    return {smiles: frozenset(canonical) for smiles, canonical in found.items()}
