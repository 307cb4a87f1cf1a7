"""ChEMBLClient, blocking. Written by make docs from biofact.sources.chembl.client."""

from typing import Literal, overload

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.organisms import OrganismName
from biofact.core.tool import CursorText, PageSize, Query
from biofact.sources.chembl import client as asynchronous
from biofact.sources.chembl.records import (
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
from biofact.transport.background import wait_for


class ChEMBLClient(BlockingClient):
    """Names to compounds, compounds to checked records, measurements and targets.

    >>> with biofact.sync.ChEMBLClient() as chembl:
    ...     chembl.search_compounds("aspirin").items[0].id
    'CHEMBL:25'
    """

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
        return wait_for(self._client.get_compound(chembl_id, slim, include))

    def get_compounds_batch(
        self, chembl_ids: list[str], slim: bool = True, include: asynchronous.CompoundParts | None = None
    ) -> PaginationEnvelope[Compound | SlimCompound | ErrorEnvelope]:
        """Describe up to 200 compounds, or why one fails, in the order asked; `include` gives more.

        Slim by default: ID, name and formula; ``slim=false`` gives full records. Duplicates are kept. One malformed,
        unknown or withdrawn ID never fails the others.

        Raises:
            AmbiguousQuery: no IDs, or more than 200.

        Source: GET /molecule/set; whole records as get_compound (https://www.ebi.ac.uk/chembl/api/data/docs,
        read 2026-11-20).
        """
        return wait_for(self._client.get_compounds_batch(chembl_ids, slim, include))

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
        """Find targets by name, gene symbol, synonym, UniProt accession or ChEMBL ID: proteins, complexes, families,
        cell lines, organisms. Best match first, human before other species; a SHARED_MATCH notice names those that
        match equally well. The ID goes to chembl.find_compounds_for_target and chembl.get_bioactivities.

        Scores are 0-1 and never increase along the list. A name of one component says less of a complex or family than
        of the protein itself. ``organism`` restricts: a common or Latin name, or a taxon ID.

        Raises:
            AmbiguousQuery: the cursor comes from another query.

        Source: GET /target/search, /target (https://www.ebi.ac.uk/chembl/api/data/docs, read 2026-11-20).
        """
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
        return wait_for(self._client.search_structures(structure, mode, threshold, page_size, cursor, slim))

    def get_bioactivities(
        self, chembl_id: str, target: str | None = None, page_size: PageSize = 50, cursor: CursorText | None = None
    ) -> PaginationEnvelope[Bioactivity]:
        """List what was measured of a compound: type, relation, value, units, pChEMBL, target, assay, document.
        Strongest pChEMBL first, then values without one, censored ones (> or <) among them. `target` is
        UniProtKB:P00533 or a target's ID, CHEMBL:203.

        ``relation`` other than ``=`` makes the value a bound. ``validity_comment`` and ``possible_duplicate`` are
        ChEMBL's doubts. Measurements of salts are filed under the salt's own ID.

        Raises:
            UnresolvedEntity: an ID is not of its form, or of another kind.
            EntityNotFound: ChEMBL has no such compound or target.

        Source: GET /activity, /target (https://www.ebi.ac.uk/chembl/api/data/docs, read 2026-11-20).
        """
        return wait_for(self._client.get_bioactivities(chembl_id, target, page_size, cursor))

    def find_compounds_for_target(
        self, target_id: str, page_size: PageSize = 50, cursor: CursorText | None = None
    ) -> PaginationEnvelope[TargetCompound]:
        """List the compounds of a target, UniProtKB:P00533 or CHEMBL:203: drugs with a mechanism on it first, approved
        before clinical ones, then measured compounds by best pChEMBL; `evidence` says which. A gene's cross-reference
        `uniprot` is such an ID as it stands.

        A UniProt entry stands for every target that it is a component of; each row names its target. Salts count as
        the compound itself. ``total_count`` is null where the list goes on: ChEMBL does not tell how many there are.

        Raises:
            UnresolvedEntity: ``target_id`` is not of one of these forms, or of a compound, assay or document.
            EntityNotFound: ChEMBL has no such target.

        Source: GET /target, /mechanism, /activity, /molecule/set (https://www.ebi.ac.uk/chembl/api/data/docs,
        read 2026-11-20).
        """
        return wait_for(self._client.find_compounds_for_target(target_id, page_size, cursor))

    def draw(self, chembl_id: str) -> str:
        """Draw the structure of one compound as SVG. Needs the extra `chem`.

        Raises:
            UnresolvedEntity: ``chembl_id`` is not written like ``CHEMBL:25``, or is of a target, assay or document.
            EntityNotFound: ChEMBL has no such compound, or it has no structure, as biotherapeutics.
            UpstreamError: RDKit is not installed.

        Source: GET /molecule/set (https://www.ebi.ac.uk/chembl/api/data/docs, read 2026-11-20), drawn by RDKit.
        """
        return wait_for(self._client.draw(chembl_id))
