"""The species that a caller or a query names; Ensembl's own list of them is asked for where it must be."""

from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.records import Notice
from biofact.sources.ensembl import search
from biofact.sources.ensembl.questions import EnsemblQuestions
from biofact.sources.ensembl.search import Reach


class NamedSpecies:
    """Species by any of their names."""

    def __init__(self, questions: EnsemblQuestions) -> None:
        self._questions = questions

    async def reach(self, species: str) -> Reach:
        """The species that the caller means; the well-known ones without asking.

        Raises:
            AmbiguousQuery: Ensembl has no such species.
        """
        if known := search.well_known(species):
            return known
        table = await self._questions.species()
        found = table.find(species)
        if found is None:
            raise table.refused(species)
        return found

    async def split_off(self, query: str) -> tuple[str, Reach | None]:
        """The query without the species that it names, if it names one."""
        rest, known = search.well_known_in(query)
        if known or not search.may_name_species(query):
            return rest, known
        try:
            return (await self._questions.species()).split_off(query)
        except (RateLimited, UpstreamError):  # that the words may name a species is no reason to fail
            return query, None

    async def meant_by(self, query: str) -> list[Notice]:
        """Says that a word of a query that found nothing may be a species."""
        if len(query.split()) == 1:
            return []
        try:
            reach = (await self._questions.species()).named_in(query)
        except (RateLimited, UpstreamError):  # the answer stands without it
            return []
        return [search.notices.may_be_species(reach)] if reach else []
