"""The ChEMBL client and its tools."""

import asyncio
import functools
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from typing import Annotated, Literal, overload

from pydantic import Field, StringConstraints

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.errors import ToolRef
from biofact.core.organisms import OrganismName
from biofact.core.records import is_included
from biofact.core.tool import NARROWS, CursorText, PageSize, Query, resource, tool
from biofact.core.xrefs import uniprot_curie
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.listing import Listing, OffsetPages, OffsetPosition
from biofact.protocol.lookup import verify
from biofact.protocol.names import NameResults, each_name, finds
from biofact.sources.chembl import compounds, parse, resolver
from biofact.sources.chembl.compounds import SideRequests
from biofact.sources.chembl.identifiers import (
    COMPOUND_ID,
    ON_TARGET,
    SEARCH,
    STRUCTURES,
    TARGET_ID,
    TARGETS,
    curie,
    elsewhere_id,
    is_own_name,
    native,
)
from biofact.sources.chembl.measurements import (
    ActivityPosition,
    ActivityType,
    CompoundsOnTarget,
    MeasurementFilter,
    MeasurementsOfCompound,
    MinPchembl,
    TargetCompoundPosition,
)
from biofact.sources.chembl.names import NamedCompounds, compounds_elsewhere, protein_of_uniprot, searched_compounds
from biofact.sources.chembl.parse import SideFacts
from biofact.sources.chembl.questions import MOLECULES, ChEMBLQuestions
from biofact.sources.chembl.records import (
    AssayType,
    Bioactivity,
    Compound,
    CompoundSearchCandidate,
    SlimCompound,
    SlimCompoundSearchCandidate,
    SlimTargetSearchCandidate,
    TargetCompound,
    TargetSearchCandidate,
)
from biofact.sources.chembl.resolver import Resolver
from biofact.sources.chembl.search import (
    CompoundPosition,
    OrganismFilter,
    StructureSearch,
    TargetPosition,
    TargetSearch,
    notices,
)
from biofact.sources.chembl.service import CHEMBL, PDBE, PROBES, UNICHEM
from biofact.transport.stack import Transport

CompoundParts = list[Literal["chemistry", "mechanisms", "indications", "synonyms", "cross_references", "all"]]
StructureMode = Literal["similarity", "substructure"]

_ACTIVITIES = ToolRef("chembl", "get_bioactivities")


class ChEMBLClient(LifeSciencesClient):
    """Names to compounds, compounds to checked records, measurements and targets.

    >>> with biofact.sync.ChEMBLClient() as chembl:
    ...     chembl.search_compounds("aspirin").items[0].id
    'CHEMBL:25'
    """

    source_name = "chembl"
    title = "ChEMBL"
    services = (CHEMBL, UNICHEM, PDBE)
    probes = PROBES

    def __init__(self, transport: Transport | None = None) -> None:
        super().__init__(transport)
        self._questions = ChEMBLQuestions(self.transport)
        self._resolver = Resolver(self._questions, self.title)
        self._side_requests = SideRequests(self._questions, self.transport)

    @overload
    async def search_compounds(
        self, query: str, page_size: int = ..., cursor: str | None = ..., slim: Literal[False] = ...
    ) -> PaginationEnvelope[CompoundSearchCandidate]: ...

    @overload
    async def search_compounds(
        self, query: str, page_size: int = ..., cursor: str | None = ..., slim: bool = ...
    ) -> PaginationEnvelope[SlimCompoundSearchCandidate]: ...

    @tool
    async def search_compounds(
        self, query: Query, page_size: PageSize = 50, cursor: CursorText | None = None, slim: bool = False
    ) -> PaginationEnvelope[CompoundSearchCandidate | SlimCompoundSearchCandidate]:
        """Find compounds by name, trade name, synonym, beginning of a name, InChIKey, SMILES or any ChEMBL ID: start
        here when you have no CHEMBL:… ID. Best match first; `match` says what matched: `near` is a letter away, for
        you to confirm. Salts fold into the compound itself and are named in `salt_forms`, unless the query names the
        salt. A SHARED_MATCH notice names compounds that match equally well: do not guess between them.

        Scores are 0-1 and never increase along the list, across pages too. Stereoisomers, esters and prodrugs are
        compounds of their own. When the search by words is down, compounds of exactly this name are listed with a
        LEG_FAILED notice. ``total_count`` is null where the list goes on.

        Raises:
            AmbiguousQuery: the cursor comes from another query, or the query is a list of IDs.

        Source: GET /molecule/search, /molecule, /molecule/set, /chembl_id_lookup
        (https://www.ebi.ac.uk/chembl/api/data/docs, read 2026-11-20).
        """
        arguments = {"query": query}
        listing = Listing(SEARCH, arguments, CompoundPosition, cursor=cursor, page_size=page_size, is_slim=slim)
        page = await self._resolver.compounds(query, listing)
        return listing.envelope_in_form(page, CompoundSearchCandidate.slim)

    @overload
    async def get_compound(
        self, chembl_id: str, slim: Literal[False] = ..., include: CompoundParts | None = ...
    ) -> Compound: ...

    @overload
    async def get_compound(
        self, chembl_id: str, slim: bool = ..., include: CompoundParts | None = ...
    ) -> SlimCompound: ...

    @tool
    async def get_compound(
        self, chembl_id: Annotated[str, COMPOUND_ID], slim: bool = False, include: CompoundParts | None = None
    ) -> Compound | SlimCompound:
        """Describe one compound by its ChEMBL ID, such as CHEMBL:25: names, formula, weight, structure, phase,
        identifiers elsewhere; `include` adds the rest. A cross-reference `chembl: "CHEMBL25"` is written CHEMBL:25
        here; `uniprot` are its targets'.

        ``include`` asks for ``mechanisms`` with their targets, ``indications``, ``chemistry`` (InChIKey, computed
        properties, approval and warnings, and structures too long to be told unasked), all ``synonyms`` and all
        ``cross_references``. Unasked, ten synonyms and five values of a cross-reference are listed at most, fewer where
        the record would cost more than 300 tokens; a LIST_CUT notice says what is left out. Weights are in Da.
        ``max_phase`` is 4 for approved, 1-3 clinical, 0.5 early phase 1, -1 unknown, absent for preclinical.
        Cross-reference keys without a value are absent; what a slow service could not tell in time is named in a
        LEG_FAILED notice and is there on the next call. ``slim`` keeps ID, name and formula, unless ``include`` asks
        for more.

        Raises:
            UnresolvedEntity: ``chembl_id`` is not written like ``CHEMBL:25``, or is of a target, assay or document.
            EntityNotFound: ChEMBL never had such a compound, or withdrew it.

        Source: GET /molecule/set, /mechanism, /target, /drug_indication, /chembl_id_lookup, /status
        (https://www.ebi.ac.uk/chembl/api/data/docs); UniChem POST /compounds (https://www.ebi.ac.uk/unichem/api/docs);
        PDBe GET /pdb/compound/in_pdb (https://www.ebi.ac.uk/pdbe/api/doc); read 2026-11-20.
        """
        return await self._compound(chembl_id, slim=slim, include=include or ())

    @tool(is_heavy=True)
    async def get_compounds_batch(
        self, chembl_ids: Annotated[list[str], COMPOUND_ID], slim: bool = True, include: CompoundParts | None = None
    ) -> PaginationEnvelope[Compound | SlimCompound | ErrorEnvelope]:
        """Describe up to 200 compounds, or why one fails, in the order asked; `include` gives more.

        Slim by default: ID, name and formula; ``slim=false`` gives full records. Duplicates are kept. One malformed,
        unknown or withdrawn ID never fails the others.

        Raises:
            AmbiguousQuery: no IDs, or more than 200.

        Source: GET /molecule/set; whole records as get_compound (https://www.ebi.ac.uk/chembl/api/data/docs,
        read 2026-11-20).
        """
        is_slim = slim and not include
        at_once = MOLECULES.limit if is_slim else 1  # a whole record needs side requests as well
        get = functools.partial(self._compound, slim=slim, include=include or ())
        return await self._batch(COMPOUND_ID, chembl_ids, get, SlimCompound.slim, at_once=at_once)

    async def get_compounds_many(
        self, chembl_ids: Iterable[object], slim: bool = True, include: CompoundParts | None = None
    ) -> AsyncIterator[PaginationEnvelope[Compound | SlimCompound | ErrorEnvelope]]:
        """Describe any number of compounds: answers of ``get_compounds_batch``, 200 rows each, as they are known.

        ``chembl_ids`` may be an iterator. Answers are kept: a program that was stopped goes on where it was.
        """
        ask = functools.partial(self.get_compounds_batch, slim=slim, include=include)
        async for answer in self._many(ask, chembl_ids):
            yield answer

    @overload
    async def search_targets(
        self,
        query: str,
        organism: str | None = ...,
        page_size: int = ...,
        cursor: str | None = ...,
        slim: Literal[False] = ...,
    ) -> PaginationEnvelope[TargetSearchCandidate]: ...

    @overload
    async def search_targets(
        self, query: str, organism: str | None = ..., page_size: int = ..., cursor: str | None = ..., slim: bool = ...
    ) -> PaginationEnvelope[SlimTargetSearchCandidate]: ...

    @tool
    async def search_targets(
        self,
        query: Query,
        organism: OrganismName | None = None,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        slim: bool = False,
    ) -> PaginationEnvelope[TargetSearchCandidate | SlimTargetSearchCandidate]:
        """Find targets by name, gene symbol, synonym, UniProt accession or ChEMBL ID: proteins, complexes, families,
        cell lines, organisms. Best match first, human before other species; a SHARED_MATCH notice names those that
        match equally well. The ID goes to chembl.find_compounds_for_target and chembl.get_bioactivities.

        Scores are 0-1 and never increase along the list. A name of one component says less of a complex or family than
        of the protein itself. ``organism`` restricts: a common or Latin name, or a taxon ID.

        Raises:
            AmbiguousQuery: the cursor comes from another query.

        Source: GET /target/search, /target (https://www.ebi.ac.uk/chembl/api/data/docs, read 2026-11-20).
        """
        arguments = {"query": query, "organism": organism}
        listing = Listing(TARGETS, arguments, TargetPosition, cursor=cursor, page_size=page_size, is_slim=slim)
        reach = OrganismFilter.from_text(organism) if organism else None
        page = await self._resolver.targets_by_id(query, reach, listing)
        page = page or await listing.page(TargetSearch(query, reach, self._questions))
        return listing.envelope_in_form(page, TargetSearchCandidate.slim)

    @overload
    async def search_structures(
        self,
        structure: str,
        mode: StructureMode = ...,
        threshold: int = ...,
        page_size: int = ...,
        cursor: str | None = ...,
        slim: Literal[False] = ...,
    ) -> PaginationEnvelope[CompoundSearchCandidate]: ...

    @overload
    async def search_structures(
        self,
        structure: str,
        mode: StructureMode = ...,
        threshold: int = ...,
        page_size: int = ...,
        cursor: str | None = ...,
        slim: bool = ...,
    ) -> PaginationEnvelope[SlimCompoundSearchCandidate]: ...

    @tool
    async def search_structures(  # as a caller names them
        self,
        structure: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)],
        mode: StructureMode = "similarity",
        threshold: Annotated[int, Field(ge=40, le=100), NARROWS] = 70,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        slim: bool = False,
    ) -> PaginationEnvelope[CompoundSearchCandidate | SlimCompoundSearchCandidate]:
        """Find compounds that resemble a structure, a SMILES or a CHEMBL:… ID, most similar first with `similarity` in
        percent; or, with mode "substructure", those that hold it, lightest first. `threshold` is the least similarity.

        Similarities are ChEMBL's own (Tanimoto of Morgan fingerprints). ``score`` is the similarity as 0-1, and 1 for
        all that holds the structure.

        Raises:
            UnresolvedEntity: ``structure`` is neither, or the ID is of a target, assay or document.
            EntityNotFound: ChEMBL has no such compound, or it has no structure.
            AmbiguousQuery: ChEMBL cannot read the structure, or the cursor comes from another query.

        Source: GET /similarity, /substructure (https://www.ebi.ac.uk/chembl/api/data/docs, read 2026-11-20).
        """
        min_similarity = threshold if mode == "similarity" else None
        arguments = {"structure": structure, "mode": mode, "threshold": min_similarity}
        listing = Listing(STRUCTURES, arguments, OffsetPosition, cursor=cursor, page_size=page_size, is_slim=slim)
        query_structure, smiles = await self._resolver.query_structure(structure)
        page = await listing.page(
            OffsetPages(StructureSearch(query_structure, smiles, min_similarity, self._questions).page_from)
        )
        return listing.envelope_in_form(page, CompoundSearchCandidate.slim)

    @tool
    async def get_bioactivities(  # noqa: PLR0913  # a filter is an argument
        self,
        chembl_id: Annotated[str, COMPOUND_ID],
        target: Annotated[str | None, TARGET_ID, NARROWS] = None,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        *,
        min_pchembl: MinPchembl = None,
        activity_type: ActivityType = None,
        assay_type: Annotated[AssayType | None, NARROWS] = None,
    ) -> PaginationEnvelope[Bioactivity]:
        """List what was measured of a compound: type, relation, value, units, pChEMBL, target, assay, document.
        Strongest pChEMBL first, then values without one, censored ones (> or <) among them. `target` is
        UniProtKB:P00533 or a target's ID, CHEMBL:203; `activity_type` such as IC50, Ki.

        ``min_pchembl`` is the least pChEMBL (7 is 100 nM); values without one are then left out. ``activity_type`` is
        ChEMBL's standard type; common ones are taken in any spelling (ic-50). ``relation`` other than ``=`` makes the
        value a bound. ``validity_comment`` and ``possible_duplicate`` are ChEMBL's doubts. Measurements of salts are
        filed under the salt's own ID.

        Raises:
            UnresolvedEntity: an ID is not of its form, or of another kind.
            EntityNotFound: ChEMBL has no such compound or target.

        Source: GET /activity, /target (https://www.ebi.ac.uk/chembl/api/data/docs, read 2026-11-20).
        """
        wanted = MeasurementFilter(min_pchembl, activity_type, assay_type)
        arguments = {"chembl_id": chembl_id, "target": target, **wanted.arguments}
        listing = Listing(_ACTIVITIES, arguments, ActivityPosition, cursor=cursor, page_size=page_size)
        _, targets = await asyncio.gather(self._resolver.molecule(chembl_id), self._resolver.targets(target))
        target_ids = [target.id for target in targets]
        measurements = MeasurementsOfCompound(self._questions, native(chembl_id), target_ids, wanted)
        page = await measurements.page(listing.position, listing.page_size)
        if listing.position is None:
            if not page.rows:
                page.notices.extend(wanted.unmatched(f"{chembl_id} on {target}" if target else chembl_id))
            page.notices.extend(notices.several_targets(target, targets))
        return listing.envelope(page)

    @tool(is_heavy=True)
    async def find_compounds_for_target(
        self,
        target_id: Annotated[str, TARGET_ID],
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        *,
        min_pchembl: MinPchembl = None,
        activity_type: ActivityType = None,
        assay_type: Annotated[AssayType | None, NARROWS] = None,
    ) -> PaginationEnvelope[TargetCompound]:
        """List the compounds of a target, UniProtKB:P00533 or CHEMBL:203: drugs with a mechanism on it first, approved
        before clinical ones, then measured compounds by best pChEMBL; `evidence` says which. A gene's cross-reference
        `uniprot` is such an ID as it stands. Filters such as `min_pchembl` leave measured ones alone, by pChEMBL.

        ``min_pchembl``, ``activity_type`` and ``assay_type`` are as in get_bioactivities: a row shows the compound's
        best measurement of those that are meant, drugs among the others. A UniProt entry stands for every target that
        it is a component of; each row names its target. Salts count as the compound itself. ``total_count`` is null
        where the list goes on: ChEMBL does not tell how many there are.

        Raises:
            UnresolvedEntity: ``target_id`` is not of one of these forms, or of a compound, assay or document.
            EntityNotFound: ChEMBL has no such target.

        Source: GET /target, /mechanism, /activity, /molecule/set (https://www.ebi.ac.uk/chembl/api/data/docs,
        read 2026-11-20).
        """
        wanted = MeasurementFilter(min_pchembl, activity_type, assay_type)
        arguments = {"target_id": target_id, **wanted.arguments}
        listing = Listing(ON_TARGET, arguments, TargetCompoundPosition, cursor=cursor, page_size=page_size)
        targets = await self._resolver.targets(target_id)
        compounds = CompoundsOnTarget(self._questions, [target.id for target in targets], wanted)
        page = await compounds.page(listing.position, listing.page_size)
        if listing.position is None:
            if not page.rows:
                page.notices.extend(wanted.unmatched(target_id))
            page.notices.extend(notices.several_targets(target_id, targets))
        return listing.envelope(page)

    @finds("compound", takes=elsewhere_id)
    async def compounds_elsewhere(self, names: Sequence[str], _: str) -> NameResults:
        """Compounds by CAS number, or by ID in another database; a request a name."""
        return await compounds_elsewhere(self._questions, names, self.transport.afresh)

    @finds("compound", takes=is_own_name)
    async def compounds_named(self, names: Sequence[str], organism: str) -> NameResults:  # noqa: ARG002  # has none
        """Compounds by ID, InChIKey or whole name; many in few requests."""
        return await NamedCompounds(self._questions, names).find()

    @finds("compound", is_joined=False, takes=is_own_name)
    async def compounds_searched(self, names: Sequence[str], organism: str) -> NameResults:  # noqa: ARG002  # has none
        """Compounds by structure, or by a whole name that is written otherwise; some requests a name."""
        return await searched_compounds(self._questions, names)

    @resource("chembl://compound/{chembl_id}/structure.svg", "image/svg+xml", title="structure of a compound")
    async def draw(self, chembl_id: Annotated[str, COMPOUND_ID]) -> str:
        """Draw the structure of one compound as SVG. Needs the extra `chem`.

        Raises:
            UnresolvedEntity: ``chembl_id`` is not written like ``CHEMBL:25``, or is of a target, assay or document.
            EntityNotFound: ChEMBL has no such compound, or it has no structure, as biotherapeutics.
            UpstreamError: RDKit is not installed.

        Source: GET /molecule/set (https://www.ebi.ac.uk/chembl/api/data/docs, read 2026-11-20), drawn by RDKit.
        """
        compound = parse.compound(await self._resolver.molecule(chembl_id), SideFacts())
        verify(self.title, curie(native(chembl_id)), compound.id)
        if compound.smiles is None:
            raise resolver.NO_STRUCTURE(chembl_id, name=compound.name)
        return await asyncio.to_thread(compounds.draw_svg, compound)

    @finds("protein", is_joined=False, takes=uniprot_curie)
    async def proteins_of_uniprot(self, names: Sequence[str], _: str) -> NameResults:
        """Proteins that are targets by themselves, by UniProt's accession; a request a name."""
        return await each_name(names, functools.partial(protein_of_uniprot, self._questions), self.transport.afresh)

    async def _compound(self, chembl_id: str, *, slim: bool, include: Collection[str]) -> Compound | SlimCompound:
        if slim and not include:
            short = parse.slim_compound(await self._resolver.molecule(chembl_id))
            verify(self.title, curie(native(chembl_id)), short.id)
            return short
        compound = await self._whole(chembl_id, include)
        verify(self.title, curie(native(chembl_id)), compound.id)
        return compound.selected(include)

    async def _whole(self, chembl_id: str, include: Collection[str]) -> Compound:
        molecule = asyncio.create_task(self._resolver.molecule(chembl_id))
        release = asyncio.create_task(self._side_requests.release(molecule))
        try:
            payload = await molecule
            has_indications = is_included("indications", include)
            side_facts = await self._side_requests.side_facts(
                native(chembl_id), payload, release, has_indications=has_indications
            )
        finally:
            release.cancel()  # it still runs if the molecule does not exist
            await asyncio.gather(release, return_exceptions=True)
        compound = parse.compound(payload, side_facts)
        if compound.smiles and compounds.is_installed():
            compound = compound.noted(await asyncio.to_thread(compounds.contradictions, compound))
        return compound
