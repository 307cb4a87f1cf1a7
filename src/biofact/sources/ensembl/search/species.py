"""Which species is meant, by any of its names, its taxon ID, or a word of the query. Pure."""

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from biofact.core import organisms
from biofact.core.errors import AmbiguousQuery
from biofact.core.organisms import Taxon
from biofact.sources.ensembl.parse import Species
from biofact.sources.ensembl.parse.genes import NAMES

_NEAREST = 5
_LONGEST = 80  # characters of an unknown name that are compared, as many as the error shows
_STRAIN_OF = {4932: "559292"}  # of the species baker's yeast Ensembl has the reference strain alone
_SHORTEST = 3  # letters of a name in a query; shorter aliases are codes


@dataclass(frozen=True, slots=True)
class Reach:
    """The one species that a search is for."""

    name: str
    """Ensembl's, such as ``homo_sapiens``."""
    taxon_id: int
    is_strain: bool = False
    """Whether it shares its taxon with a species, so that words cannot be searched in it alone."""


def _model(taxon: Taxon) -> Reach:
    return Reach(NAMES[taxon.id], taxon.id)


HUMAN = _model(organisms.MODEL_ORGANISMS[0])


def well_known(text: str) -> Reach | None:
    """A model organism, known without asking."""
    taxon = organisms.taxon(text) or organisms.taxon(_STRAIN_OF.get(organisms.taxon_id(text) or 0, ""))
    return _model(taxon) if taxon else None


def well_known_in(query: str) -> tuple[str, Reach | None]:
    """The query without the model organism that it names."""
    rest, taxon = organisms.split_off(query)
    return rest, _model(taxon) if taxon else None


def may_name_species(query: str) -> bool:
    """Whether a part of the query stands beside something like a symbol, so that it may be a species."""
    return any(is_beside_symbol(cut.rest) and not is_beside_symbol(cut.name) for cut in organisms.cuts(query))


@dataclass(frozen=True, slots=True)
class SpeciesTable:
    """All species that Ensembl has, by every name."""

    by_name: dict[str, Reach] = field(default_factory=dict)
    by_assembly: dict[str, Reach] = field(default_factory=dict)

    @classmethod
    def from_rows(cls, rows: Iterable[Species]) -> "SpeciesTable":
        """The table of the rows of ``info/species``. Strains share names with their species, which comes first."""
        by_name: dict[str, Reach] = {}
        by_assembly: dict[str, Reach] = {}
        taxa: set[int] = set()
        # A strain is called after its species, with one more part: mus_musculus_c57bl6nj.
        for species in sorted(rows, key=lambda row: (row.name.count("_"), len(row.name))):
            reach = Reach(species.name, species.taxon_id, is_strain=species.taxon_id in taxa)
            taxa.add(species.taxon_id)
            by_assembly.setdefault((species.assembly or "").lower(), reach)
            for spelling in (*species.spellings, str(species.taxon_id)):
                by_name.setdefault(_folded(spelling), reach)
        return cls(by_name, by_assembly)

    def find(self, text: str) -> Reach | None:
        """The species that ``text`` names or numbers."""
        number = organisms.taxon_id(text)
        return self.by_name.get(_folded(text)) or (self.by_name.get(str(number)) if number else None)

    def with_assembly(self, name: str) -> Reach | None:
        """The species that has this assembly today."""
        return self.by_assembly.get(name.lower())

    def unknown_species(self, text: str) -> AmbiguousQuery:
        """The error for an unknown species, with the nearest names."""
        names = {name: reach for name, reach in self.by_name.items() if not name.isdigit()}
        close = difflib.get_close_matches(_folded(text[:_LONGEST]), names, n=3 * _NEAREST, cutoff=0.6)
        nearest = list(dict.fromkeys(names[name].name for name in close))[:_NEAREST]
        hint = f"The nearest are {', '.join(nearest)}." if nearest else f"Some are {organisms.EXAMPLES}."
        return AmbiguousQuery(
            f"Ensembl has no species {text!r:.80} among its vertebrates, fly, worm and yeast.",
            hint=f"{hint} Give a common, Latin or Ensembl name, or an NCBI taxon ID.",
            invalid_input=text,
        )

    def species_in(self, query: str) -> Reach | None:
        """The species that a part of the query may name, wherever it stands."""
        return next((reach for _, reach in self._readings(query)), None)

    def split_off(self, query: str) -> tuple[str, Reach | None]:
        """The query without a species named at its end or beginning, beside a symbol.

        Only beside a symbol: "sonic hedgehog" is a gene, and the hedgehog a species.
        """
        readings = ((rest, reach) for rest, reach in self._readings(query) if is_beside_symbol(rest))
        return next(readings, (query, None))

    def _readings(self, query: str) -> Iterator[tuple[str, Reach]]:
        """Every cut of the query into a species and the rest of the words."""
        for cut in organisms.cuts(query):
            reach = self.by_name.get(_folded(cut.name))
            if reach and len(cut.name) >= _SHORTEST and not cut.name.isdigit():
                yield cut.rest, reach


def is_beside_symbol(rest: str) -> bool:
    """Whether the words left look like the symbol of a gene, by a digit, capitals or a sign within: ``E(z)``."""
    return re.fullmatch(r"\S*(?:\d|[A-Z]{2}|\w[(:/]\w)\S*", rest) is not None


def _folded(name: str) -> str:
    return " ".join(name.lower().replace("_", " ").split())
