"""Whole compounds: what further requests add to a molecule, its drawing, and its contradictions."""

import asyncio
import functools
import importlib.util
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass

from biofact.core import call
from biofact.core.call import Call
from biofact.core.errors import UpstreamError
from biofact.core.extras import install_command
from biofact.core.records import Notice
from biofact.protocol.lookup import side_request
from biofact.sources.chembl import parse
from biofact.sources.chembl.parse import NO_STRUCTURE_IDS, SideFacts, StructureIds
from biofact.sources.chembl.questions import ChEMBLQuestions
from biofact.sources.chembl.records import Compound, Indication, Mechanism
from biofact.sources.chembl.search.structures import elements
from biofact.transport.stack import Transport

_IDENTIFIERS = "identifiers in PubChem, DrugBank, KEGG and the PDB (UniChem)"
_ENTRIES = "PDB entries (PDBe)"


@dataclass(frozen=True, slots=True)
class Release:
    """The release of ChEMBL, or None if its request failed."""

    name: str | None
    prefetch_call: Call
    """The call with the answer that names it, to be adopted after the molecule's."""


@dataclass(frozen=True, slots=True)
class SideRequests:
    """Side requests of compounds. Those to ChEMBL are awaited; those to other services for two seconds at most, and
    then finish into the cache.
    """

    ask: ChEMBLQuestions
    transport: Transport

    async def release(self, molecule: "asyncio.Task[bytes]") -> Release:
        """The release, requested once the molecule's request is queued and before its answer: so it delays no request
        that follows the molecule. A cached molecule is awaited first, and a missing one needs no release.
        """
        await asyncio.wait({molecule}, timeout=self.transport.timing.batch_window_seconds)
        if molecule.done() and (molecule.cancelled() or molecule.exception()):
            return Release(None, Call())
        with call.prefetch() as prefetch_call:
            name, _ = await side_request(self.transport.side_leg(self.ask.release()), "the release")
        return Release(name, prefetch_call)

    async def side_facts(
        self, native_id: str, payload: bytes, release: Awaitable[Release], *, has_indications: bool
    ) -> SideFacts:
        """The facts of a compound besides its molecule; mechanisms always, for they lead to UniProt entries. A salt
        has only the facts filed on the salt itself.
        """
        molecule = parse.molecule_hit(payload)
        parent = molecule.parent
        form_id = native_id if parent else None
        of_drug, of_diseases, elsewhere, answered_release = await asyncio.gather(
            self._mechanisms(parent or native_id, form_id),
            side_request(self._indications(parent or native_id, form_id, is_wanted=has_indications), "indications"),
            self._structure_ids(molecule.inchi_key),
            release,
        )
        mechanisms, unknown = of_drug
        indications, missing = of_diseases
        structure_ids, entries, missing_ids = elsewhere
        call.current().adopt(answered_release.prefetch_call)
        notices = [*unknown, *missing, *missing_ids]
        return SideFacts(mechanisms, indications or (), structure_ids, entries, answered_release.name, notices)

    async def _mechanisms(self, parent: str, form_id: str | None) -> tuple[list[Mechanism], list[Notice]]:
        """The mechanisms with the names of their targets; the targets' IDs alone if that request fails."""
        rows, missing = await side_request(self.ask.mechanisms_of(parent), "mechanisms")
        mechanism_rows = [row for row in rows or () if form_id is None or row.molecule == form_id]
        # Several mechanisms of a drug may name one target.
        target_ids = dict.fromkeys(row.target for row in mechanism_rows if row.target)
        targets, unknown = await side_request(self.ask.targets([*target_ids]), "names and UniProt entries of targets")
        mechanisms = parse.mechanisms(mechanism_rows, {target.id: target for target in targets or ()})
        return mechanisms, [*missing, *unknown]

    async def _indications(self, parent: str, form_id: str | None, *, is_wanted: bool) -> list[Indication]:
        if not is_wanted:
            return []
        return parse.indications(await self.ask.indications_of(parent), form_id)

    async def _structure_ids(self, inchi_key: str | None) -> tuple[StructureIds, Sequence[str], list[Notice]]:
        """IDs in other databases and PDB entries; a biotherapeutic has no structure that could be known elsewhere."""
        if inchi_key is None:
            return NO_STRUCTURE_IDS, (), []
        (structure_ids, unknown), (entries, missing_entries) = await asyncio.gather(
            side_request(self.transport.side_leg(self.ask.structure_ids(inchi_key)), _IDENTIFIERS),
            side_request(self.transport.side_leg(self.ask.entries_with(inchi_key)), _ENTRIES),
        )
        missing = unknown or missing_entries  # entries need the identifiers: one notice is enough
        return structure_ids or NO_STRUCTURE_IDS, entries or (), missing


_WIDTH, _HEIGHT = 400, 300  # pixels


@functools.cache
def is_installed() -> bool:
    """Whether structures can be checked and drawn."""
    return importlib.util.find_spec("rdkit") is not None


def contradictions(compound: Compound) -> list[Notice]:
    """MISMATCH notices, if the SMILES of a compound gives another formula or InChIKey than the record. Takes
    milliseconds.
    """
    from rdkit import Chem, rdBase  # noqa: PLC0415  # only where it is installed
    from rdkit.Chem import inchi, rdMolDescriptors  # noqa: PLC0415

    with rdBase.BlockLogs():  # it writes on stderr what it thinks of a structure
        molecule = Chem.MolFromSmiles(compound.smiles or "")
        if molecule is None:
            return [_mismatch(f"The SMILES {compound.smiles!r:.80} cannot be read")]
        formula, key = rdMolDescriptors.CalcMolFormula(molecule), inchi.MolToInchiKey(molecule)
    notices = []
    if compound.molecular_formula and elements(formula) != elements(compound.molecular_formula):
        notices.append(_mismatch(f"The SMILES tells the formula {formula}, the record {compound.molecular_formula}"))
    if compound.inchi_key and key and key != compound.inchi_key:
        notices.append(_mismatch(f"The SMILES tells the InChIKey {key}, the record {compound.inchi_key}"))
    return notices


def draw_svg(compound: Compound) -> str:
    """The structure as SVG.

    Raises:
        UpstreamError: RDKit is not installed, or cannot read the structure.
    """
    if not is_installed():
        hint = f"Install it: {install_command('chem')}."
        raise UpstreamError("Drawing needs RDKit, which is not installed.", hint=hint)
    from rdkit import Chem, rdBase  # noqa: PLC0415
    from rdkit.Chem.Draw import rdMolDraw2D  # noqa: PLC0415

    with rdBase.BlockLogs():
        molecule = Chem.MolFromSmiles(compound.smiles or "")
    if molecule is None:
        raise UpstreamError(f"The structure of {compound.id} cannot be read.", hint="Report it to ChEMBL.")
    drawer = rdMolDraw2D.MolDraw2DSVG(_WIDTH, _HEIGHT)
    rdMolDraw2D.PrepareAndDrawMolecule(drawer, molecule, legend=compound.name)
    drawer.FinishDrawing()
    return str(drawer.GetDrawingText())


def _mismatch(words: str) -> Notice:
    return Notice(code="MISMATCH", message=f"{words}.")
