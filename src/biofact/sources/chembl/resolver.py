"""The compounds of a query; the molecule, targets or structure of an ID, or the error that there is none."""

from collections.abc import Sequence
from dataclasses import dataclass

from biofact.core.errors import BiofactError, CallTool, EntityNotFound, EntityRetired, UnresolvedEntity
from biofact.core.identifiers import QUERY_LENGTH, check_single
from biofact.protocol.listing import Listing, ListPage
from biofact.protocol.lookup import missing_record, verify
from biofact.protocol.templates import Absence
from biofact.sources.chembl import parse, search
from biofact.sources.chembl.identifiers import (
    BATCH,
    GET_COMPOUND,
    ON_TARGET,
    SEARCH,
    TARGET_ID,
    curie,
    native,
    parse_id,
)
from biofact.sources.chembl.parse import IdStatus, Target
from biofact.sources.chembl.questions import ChEMBLQuestions
from biofact.sources.chembl.search import (
    CompoundListKind,
    CompoundPage,
    CompoundPosition,
    OrganismFilter,
    Structure,
    TargetPage,
    TargetPosition,
    is_valid,
)
from biofact.sources.chembl.search.targets import candidate
from biofact.sources.chembl.service import NOTATION_NAMES, QueryStructure

_OF_MEMBER = 0.85
"""Score of a complex or family that the protein asked for is a component of."""
_COMPOUND, _TARGET = "COMPOUND", "TARGET"
_STRICT = {_TARGET: (ON_TARGET, "target_id"), _COMPOUND: (GET_COMPOUND, "chembl_id")}
"""The tool that takes an ID of a kind, and its parameter."""

_NO_ENTRY = Absence(
    EntityNotFound, "ChEMBL has no entry {id}.", f"Check the ID, or call {SEARCH} with the compound's name."
)
_NO_TARGET = Absence(
    EntityNotFound, "ChEMBL has no target {id}.", "Check the ID; compounds are measured on few of all proteins."
)
_WITHDRAWN = Absence(
    EntityRetired,
    "{id} was withdrawn from ChEMBL; nothing is known to replace it.",
    f"Call {SEARCH} with the compound's name, if you know it.",
)
_ANOTHER_KIND = Absence(UnresolvedEntity, "{id} is a ChEMBL {kind}, not a {expected_kind}.", "Call {tool} for it.")
_UNSUPPORTED_KIND = Absence(
    UnresolvedEntity,
    _ANOTHER_KIND.message,
    f"No tool describes a {{kind}}; call {SEARCH} with the name of a compound.",
)
_NO_STRUCTURE_QUERY = Absence(
    UnresolvedEntity,
    "{id!r:.120} is neither a SMILES nor a ChEMBL compound ID; expected a form like 'CHEMBL:25'.",
    f"Call {SEARCH} to resolve the name first.",
)
NO_STRUCTURE = Absence(
    EntityNotFound,
    "ChEMBL has no structure of {id} ({name}).",
    f"Proteins, antibodies and mixtures have none; {GET_COMPOUND} tells what the molecule is.",
)


@dataclass(frozen=True, slots=True)
class Resolver:
    """Finds the compounds, targets and structures of IDs and queries."""

    ask: ChEMBLQuestions
    title: str

    async def compounds(self, query: str, listing: Listing[CompoundPosition]) -> CompoundPage:
        """The compounds of a query: an ID, a structure or a name.

        Raises:
            AmbiguousQuery: the query is a list of IDs.
        """
        if chembl_id := parse_id(query):
            return await self._with_id(chembl_id)
        if structure := search.structure_in(query):
            return await self._with_structure(structure, listing.position, listing.page_size)
        check_single(query, parse_id, BATCH, "chembl_ids")
        plan = search.plan(query)
        if plan is None:
            return ListPage.empty(search.notices.NO_COMPOUND(query=query))
        return await listing.page(search.CompoundSearch(plan, self.ask))

    async def _with_id(self, chembl_id: str) -> CompoundPage:
        """The compound of an ID, or a notice of the kind of the ID."""
        molecules = await self.ask.lookup([native(chembl_id)])
        if not molecules:
            id_status = await self.ask.id_status(native(chembl_id))
            if is_unsent(id_status):
                raise no_compound(chembl_id, id_status)
            return ListPage.empty(search.notices.another_kind(chembl_id, id_status))
        return ListPage([molecules[0].candidate(match="id", score=1.0)], total=1)

    async def _with_structure(
        self, structure: Structure, position: CompoundPosition | None, page_size: int
    ) -> CompoundPage:
        """The compounds of a structure, those that ChEMBL spells alike first, salts last."""
        hits = await self.ask.structured(structure.notation, structure.text)
        if not hits.entries:
            notation_name = NOTATION_NAMES[structure.notation]
            return ListPage.empty(search.notices.NO_STRUCTURE(notation=notation_name, text=structure.text))
        same_molecules = search.of_structure(hits.entries, structure.text)
        end = (position.shown if position else 0) + page_size
        rows = [molecule.candidate(match="structure", score=1.0) for molecule in same_molecules[end - page_size : end]]
        # All hits are known: no list of ChEMBL follows, so its total is 0.
        next_position = CompoundPosition(shown=end, number=CompoundListKind.WORDS, total=0)
        remarks = [search.notices.BY_SMILES] if structure.notation == "smiles" else []
        return ListPage(rows, next_position if end < len(same_molecules) else None, len(same_molecules), remarks)

    async def molecule(self, chembl_id: str) -> bytes:
        """The payload of a molecule, or an error with the reason that there is none."""
        payload = await self.ask.molecule(native(chembl_id))
        if payload is None:
            raise no_compound(chembl_id, await self.ask.id_status(native(chembl_id)))
        return payload

    async def targets(self, target_id: str | None) -> list[Target]:
        """The targets of an ID; none without an ID.

        Raises:
            UnresolvedEntity, EntityNotFound: the ID is of another kind, or does not exist.
        """
        if target_id is None:
            return []
        if not parse_id(target_id):
            targets = await self.ask.targets_with(target_id.removeprefix("UniProtKB:"))
            id_status = None
        else:
            targets = await self.ask.targets([native(target_id)])
            id_status = None if targets else await self.ask.id_status(native(target_id))
        if not targets:
            raise no_target(target_id, id_status)
        return targets

    async def targets_by_id(
        self, query: str, organism: OrganismFilter | None, listing: Listing[TargetPosition]
    ) -> TargetPage | None:
        """The targets of a ChEMBL ID or a UniProt accession, or None for a name."""
        targets: Sequence[Target] = ()
        if chembl_id := parse_id(query):
            targets = await self.ask.targets([native(chembl_id)])
            if not targets:
                id_status = await self.ask.id_status(native(chembl_id))
                if is_unsent(id_status, _TARGET):
                    raise no_target(chembl_id, id_status)
                return ListPage.empty(search.notices.another_kind(chembl_id, id_status, _TARGET))
        elif accession := TARGET_ID.match(query):  # some symbols have the form of an accession, such as P2RY12
            targets = await self.ask.targets_with(accession.removeprefix("UniProtKB:"))
        matching_targets = [target for target in targets if organism is None or organism.holds(target)]
        if not targets:
            return None
        if not matching_targets:
            return ListPage.empty(search.notices.NO_TARGET(query=query))
        rows = [candidate(target, "id", 1.0 if target.is_protein else _OF_MEMBER, None) for target in matching_targets]
        shared = [target for target in matching_targets if target.is_protein]
        remarks = [search.notices.shared_targets(query, shared)] if len(shared) > 1 else []
        position = listing.position or TargetPosition(lead=[target.id for target in matching_targets], total=0)
        page_rows = rows[position.shown : position.shown + listing.page_size]
        next_position = position.after(listing.page_size, page_rows[-1].score if page_rows else position.score)
        return ListPage(page_rows, next_position, len(rows), [] if listing.position else remarks)

    async def query_structure(self, structure: str) -> tuple[QueryStructure, str]:
        """The query structure and its SMILES.

        Raises:
            UnresolvedEntity: it is neither a SMILES nor an ID.
        """
        if chembl_id := parse_id(structure):
            molecule = parse.molecule_hit(await self.molecule(chembl_id))
            verify(self.title, native(chembl_id), molecule.id)
            if molecule.smiles is None:
                raise NO_STRUCTURE(chembl_id, name=molecule.name)
            return QueryStructure("chembl_id", native(chembl_id)), molecule.smiles
        structure_query = search.structure_in(structure)
        smiles = structure_query.text if structure_query and structure_query.notation == "smiles" else structure
        if not is_valid(smiles):
            is_query = len(structure) in QUERY_LENGTH
            raise _NO_STRUCTURE_QUERY(structure, CallTool(SEARCH, {"query": structure}) if is_query else None)
        return QueryStructure("smiles", smiles), smiles


def is_unsent(id_status: IdStatus | None, expected_type: str = _COMPOUND) -> bool:
    """Whether an ID is of a compound, or target, that is there, though ChEMBL did not send it."""
    return id_status is not None and id_status.type == expected_type and id_status.is_active


def no_compound(entity_id: str, id_status: IdStatus | None) -> BiofactError:
    """``entity_id`` names no compound that can be described."""
    if id_status is None:
        return _NO_ENTRY(entity_id)
    if is_unsent(id_status):
        return missing_record("ChEMBL", entity_id, status="as a compound")
    return _WITHDRAWN(entity_id) if id_status.type == _COMPOUND else _of_another_kind(entity_id, id_status, "compound")


def no_target(entity_id: str, id_status: IdStatus | None) -> BiofactError:
    """``entity_id`` names no target."""
    if id_status is None:
        return _NO_TARGET(entity_id)
    if id_status.type == _TARGET:
        return missing_record("ChEMBL", entity_id, status="as a target")
    return _of_another_kind(entity_id, id_status, "target")


def _of_another_kind(entity_id: str, id_status: IdStatus, expected_kind: str) -> UnresolvedEntity:
    kind = id_status.type.lower()
    if id_status.type not in _STRICT:
        return _UNSUPPORTED_KIND(entity_id, kind=kind, expected_kind=expected_kind)
    tool, parameter = _STRICT[id_status.type]
    recovery = CallTool(tool, {parameter: curie(id_status.id)})
    return _ANOTHER_KIND(entity_id, recovery, kind=kind, expected_kind=expected_kind, tool=tool)
