"""The homologues of a gene, page by page."""

from dataclasses import dataclass
from typing import Literal

from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.records import Notice, missing_part
from biofact.protocol.listing import ListSlice, OffsetPosition
from biofact.sources.ensembl.questions import EnsemblQuestions
from biofact.sources.ensembl.records import Homologue

HomologueKind = Literal["orthologues", "one_to_one", "paralogues"]
_KINDS: dict[HomologueKind | None, str] = {
    None: "all",
    "orthologues": "orthologues",
    "one_to_one": "orthologues",
    "paralogues": "paralogues",
}


@dataclass(frozen=True, slots=True)
class HomologueList:
    """The homologues of one gene, of one species or all, and of one kind or all."""

    questions: EnsemblQuestions
    gene_id: str
    species: str
    kind: HomologueKind | None
    target_species: str | None
    notices: tuple[Notice, ...] = ()
    """Notices on how the gene was reached."""

    async def page_from(self, position: OffsetPosition, size: int) -> ListSlice[Homologue]:
        """The homologues from a position on, which Ensembl sends all at once."""
        homologues = await self.questions.homologues(self.species, self.gene_id, _KINDS[self.kind], self.target_species)
        rows = [homologue for homologue in homologues.items if self._is_asked(homologue)]
        named_homologues, remarks = await self._with_symbols(rows[position.offset : position.offset + size])
        if not rows:
            remarks.append(self._unmatched())
        return ListSlice(named_homologues, len(rows), [*self.notices, *homologues.notices("Ensembl"), *remarks])

    def _is_asked(self, homologue: Homologue) -> bool:
        """Every row is held against every filter, whatever Ensembl made of them."""
        is_species = self.target_species in {None, homologue.species}
        is_orthologue = homologue.type.startswith("ortholog")
        is_kind = {
            None: True,
            "orthologues": is_orthologue,
            "one_to_one": homologue.type == "ortholog_one2one",
            "paralogues": not is_orthologue,
        }[self.kind]
        return is_species and is_kind

    async def _with_symbols(self, rows: list[Homologue]) -> tuple[list[Homologue], list[Notice]]:
        """The rows with the symbols of their genes; without, and a notice, when these cannot be had."""
        try:
            genes = (await self.questions.lookup([row.id for row in rows])).items if rows else []
        except (RateLimited, UpstreamError) as failure:
            return rows, [missing_part("symbols", failure.message)]
        symbols = {gene.id: gene.symbol for gene in genes if gene.symbol != gene.id}
        return [row.model_copy(update={"symbol": symbols.get(row.id)}) for row in rows], []

    def _unmatched(self) -> Notice:
        scope = f" in {self.target_species}" if self.target_species else ""
        homologues = {None: "homologues", "one_to_one": "one-to-one orthologues"}.get(self.kind, self.kind)
        return Notice(code="UNMATCHED", message=f"Ensembl's gene trees have no {homologues} of {self.gene_id}{scope}.")
