"""ChEMBLClient, blocking. Written by make docs from biofact.sources.chembl.client."""

from collections.abc import Iterable, Iterator
from typing import Literal, overload

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.organisms import OrganismName
from biofact.core.tool import CursorText, PageSize, Query
from biofact.sources.chembl import client as asynchronous
from biofact.sources.chembl.measurements import ActivityType, MinPchembl
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
from biofact.sync.blocking import BlockingClient
from biofact.transport.background import each, wait_for


class ChEMBLClient(BlockingClient):
    _asynchronous = asynchronous.ChEMBLClient
    _client: asynchronous.ChEMBLClient

    @overload
    def search_compounds(
        self, query: str, page_size: int = ..., cursor: str | None = ..., slim: Literal[False] = ...
    ) -> PaginationEnvelope[CompoundSearchCandidate]: ...

    @overload
    def search_compounds(
        self, query: str, page_size: int = ..., cursor: str | None = ..., slim: bool = ...
    ) -> PaginationEnvelope[SlimCompoundSearchCandidate]: ...

    def search_compounds(
        self, query: Query, page_size: PageSize = 50, cursor: CursorText | None = None, slim: bool = False
    ) -> PaginationEnvelope[CompoundSearchCandidate | SlimCompoundSearchCandidate]:
        return wait_for(self._client.search_compounds(query, page_size, cursor, slim))

    @overload
    def get_compound(
        self, chembl_id: str, slim: Literal[False] = ..., include: asynchronous.CompoundParts | None = ...
    ) -> Compound: ...

    @overload
    def get_compound(
        self, chembl_id: str, slim: bool = ..., include: asynchronous.CompoundParts | None = ...
    ) -> SlimCompound: ...

    def get_compound(
        self, chembl_id: str, slim: bool = False, include: asynchronous.CompoundParts | None = None
    ) -> Compound | SlimCompound:
        return wait_for(self._client.get_compound(chembl_id, slim, include))

    def get_compounds_batch(
        self, chembl_ids: list[str], slim: bool = True, include: asynchronous.CompoundParts | None = None
    ) -> PaginationEnvelope[Compound | SlimCompound | ErrorEnvelope]:
        return wait_for(self._client.get_compounds_batch(chembl_ids, slim, include))

    def get_compounds_many(
        self, chembl_ids: Iterable[object], slim: bool = True, include: asynchronous.CompoundParts | None = None
    ) -> Iterator[PaginationEnvelope[Compound | SlimCompound | ErrorEnvelope]]:
        return each(self._client.get_compounds_many(chembl_ids, slim, include))

    @overload
    def search_targets(
        self,
        query: str,
        organism: str | None = ...,
        page_size: int = ...,
        cursor: str | None = ...,
        slim: Literal[False] = ...,
    ) -> PaginationEnvelope[TargetSearchCandidate]: ...

    @overload
    def search_targets(
        self, query: str, organism: str | None = ..., page_size: int = ..., cursor: str | None = ..., slim: bool = ...
    ) -> PaginationEnvelope[SlimTargetSearchCandidate]: ...

    def search_targets(
        self,
        query: Query,
        organism: OrganismName | None = None,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        slim: bool = False,
    ) -> PaginationEnvelope[TargetSearchCandidate | SlimTargetSearchCandidate]:
        return wait_for(self._client.search_targets(query, organism, page_size, cursor, slim))

    @overload
    def search_structures(
        self,
        structure: str,
        mode: asynchronous.StructureMode = ...,
        threshold: int = ...,
        page_size: int = ...,
        cursor: str | None = ...,
        slim: Literal[False] = ...,
    ) -> PaginationEnvelope[CompoundSearchCandidate]: ...

    @overload
    def search_structures(
        self,
        structure: str,
        mode: asynchronous.StructureMode = ...,
        threshold: int = ...,
        page_size: int = ...,
        cursor: str | None = ...,
        slim: bool = ...,
    ) -> PaginationEnvelope[SlimCompoundSearchCandidate]: ...

    def search_structures(
        self,
        structure: str,
        mode: asynchronous.StructureMode = "similarity",
        threshold: int = 70,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        slim: bool = False,
    ) -> PaginationEnvelope[CompoundSearchCandidate | SlimCompoundSearchCandidate]:
        return wait_for(self._client.search_structures(structure, mode, threshold, page_size, cursor, slim))

    def get_bioactivities(
        self,
        chembl_id: str,
        target: str | None = None,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        *,
        min_pchembl: MinPchembl = None,
        activity_type: ActivityType = None,
        assay_type: AssayType | None = None,
    ) -> PaginationEnvelope[Bioactivity]:
        call = self._client.get_bioactivities(
            chembl_id,
            target,
            page_size,
            cursor,
            min_pchembl=min_pchembl,
            activity_type=activity_type,
            assay_type=assay_type,
        )
        return wait_for(call)

    def find_compounds_for_target(
        self,
        target_id: str,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        *,
        min_pchembl: MinPchembl = None,
        activity_type: ActivityType = None,
        assay_type: AssayType | None = None,
    ) -> PaginationEnvelope[TargetCompound]:
        call = self._client.find_compounds_for_target(
            target_id, page_size, cursor, min_pchembl=min_pchembl, activity_type=activity_type, assay_type=assay_type
        )
        return wait_for(call)

    def draw(self, chembl_id: str) -> str:
        return wait_for(self._client.draw(chembl_id))
