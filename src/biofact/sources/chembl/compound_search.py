"""Compounds that a query finds: by ID, by structure, or by name."""

from biofact.core.identifiers import check_single
from biofact.protocol.listing import Listing, ListPage
from biofact.sources.chembl import absence, search
from biofact.sources.chembl.absence import BATCH
from biofact.sources.chembl.chembl_ids import native, recognised
from biofact.sources.chembl.questions import ChEMBLQuestions
from biofact.sources.chembl.search import CompoundPage, CompoundPosition, List, Structure


class CompoundSearch:
    """The search for compounds."""

    def __init__(self, questions: ChEMBLQuestions) -> None:
        self._questions = questions

    async def page(self, query: str, listing: Listing[CompoundPosition]) -> CompoundPage:
        """What answers a query: an ID, a structure or a name.

        Raises:
            AmbiguousQuery: the query is a list of IDs.
        """
        if chembl_id := recognised(query):
            return await self._with_id(chembl_id)
        if structure := search.structure_in(query):
            return await self._with_structure(structure, listing.position, listing.page_size)
        check_single(query, recognised, BATCH, "chembl_ids")
        plan = search.plan(query)
        if plan is None:
            return ListPage.empty(search.notices.nothing(query))
        return await listing.page(search.Pages(plan, self._questions))

    async def _with_id(self, chembl_id: str) -> CompoundPage:
        """The compound that the query names by its ID; else what the ID stands for."""
        found = await self._questions.lookup([native(chembl_id)])
        if not found:
            known = await self._questions.known(native(chembl_id))
            if absence.is_unsent(known):
                raise absence.no_compound(chembl_id, known)
            return ListPage.empty(search.notices.another_kind(chembl_id, known))
        return ListPage([found[0].candidate(match="id", score=1.0)], total=1)

    async def _with_structure(
        self, structure: Structure, position: CompoundPosition | None, page_size: int
    ) -> CompoundPage:
        """The compounds of a structure, those that ChEMBL spells alike first, salts last."""
        hits = await self._questions.structured(structure.notation, structure.text)
        if not hits.molecules:
            return ListPage.empty(search.notices.no_structure(structure))
        alike = search.of_structure(hits.molecules, structure.text)
        end = (position.shown if position else 0) + page_size
        rows = [one.candidate(match="structure", score=1.0) for one in alike[end - page_size : end]]
        onward = CompoundPosition(shown=end, number=List.WORDS, total=0)
        remarks = [search.notices.by_smiles()] if structure.notation == "smiles" else []
        return ListPage(rows, onward if end < len(alike) else None, len(alike), remarks)
