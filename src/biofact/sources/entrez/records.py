"""The records in NCBI Gene answers."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, ClassVar, Literal, Self, TypeVar

from biofact.core.identifiers import of_record
from biofact.core.kinds import MatchKind
from biofact.core.records import (
    Frozen,
    Notice,
    Number,
    Part,
    Record,
    SlimRecord,
    absent,
    absent_list,
    estimated_tokens,
    is_included,
    token_limit,
    with_parts,
)
from biofact.core.xrefs import REGISTRY, CrossReferences
from biofact.tables import TableHints

T = TypeVar("T")

REFSEQ, UNIPROT = "cross_references.refseq", "cross_references.uniprot"
XREFS = (REFSEQ, UNIPROT)
"""The cross-references of a gene that are lists."""

_TOKEN_LIMIT = token_limit(250)
_NOTICE, _NOTICE_OF_LIST = 17, 9  # tokens of a notice that lists are cut
_KEY = 4
_TURNS = (("aliases", REFSEQ, "aliases", UNIPROT), ("other_designations",))  # the longest names come last


def fitting_counts(rest: str, lists: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """How many values of each list fit beside the ``rest`` of a record, as JSON; of a cross-reference one at least.

    ``lists`` are ``aliases``, ``other_designations``, and the cross-references ``REFSEQ`` and ``UNIPROT``.
    """
    prices = {name: [estimated_tokens(value) + 1 for value in values] for name, values in lists.items() if values}
    room = _TOKEN_LIMIT - estimated_tokens(rest)
    counts, cut = _counts_within(prices, room), 0
    while (count := sum(counts[name] < len(prices[name]) for name in prices)) > cut:
        cut = count  # the notice takes room, so that more may be cut
        counts = _counts_within(prices, room - _NOTICE - cut * _NOTICE_OF_LIST)
    return counts


def of_part(part: str, paths: Mapping[str, T]) -> dict[str, T]:
    """The paths that lead to a list of this part of the record, or to one in it."""
    return {path: value for path, value in paths.items() if path.partition(".")[0] == part}


def cut(part: str, lengths: Mapping[str, tuple[int, int]]) -> str:
    """How much of a part is listed: ``aliases 4 of 8``, or ``cross_references (refseq 1 of 8)``; empty if all."""
    counts = [f"{path.rpartition('.')[2]} {count_listed} of {count}" for path, (count_listed, count) in lengths.items()]
    return f"{part} ({', '.join(counts)})" if counts and part not in lengths else ", ".join(counts)


def _counts_within(prices: Mapping[str, list[int]], space: int) -> dict[str, int]:
    """How many values of each list to show, such that all of them fit into ``space`` tokens."""
    counts = {name: int(name in XREFS) for name in prices}  # no xref at all would read as if there were none
    room: float = space - sum(_KEY + prices[name][0] for name in XREFS if name in prices)
    for group in _TURNS:
        turns = [name for name in group if name in prices]
        while turns:
            name, *later_names = turns
            price = _next_price(name, prices[name], counts[name])
            if price > room:
                turns = [other for other in later_names if other != name]
            else:
                turns = [*later_names, name]
                counts[name] += 1
                room -= price
    return counts


def _next_price(name: str, prices: list[int], count: int) -> float:
    """The tokens of one more value; infinite if there is none, or no more may be listed."""
    if count == len(prices) or (name in XREFS and count == REGISTRY[name.rpartition(".")[2]].limit):
        return math.inf
    return prices[count] + (_KEY if count == 0 else 0)


Status = Literal["live", "secondary", "discontinued", "other"]
"""``secondary`` was replaced by another record, ``discontinued`` by none; ``other`` is for NCBI's own use."""


def curie(gene_id: str | int) -> str:
    """The written form of a GeneID: ``NCBIGene:7157``."""
    return f"NCBIGene:{gene_id}"


def uid_of(entrez_id: str) -> str:
    """The bare number of a GeneID, as E-utilities take it."""
    return entrez_id.removeprefix("NCBIGene:")


GENE_FORM = r"NCBIGene:[1-9]\d{0,11}"
"""The pattern of a whole GeneID."""
GeneId = Annotated[str, of_record("NCBI Gene ID", GENE_FORM, "NCBIGene:7157")]
ArticleId = Annotated[str, of_record("PubMed ID", r"PMID:[1-9]\d{0,8}", "PMID:32087273")]


class GoTerm(Frozen):
    """One annotation of a gene with a term of the Gene Ontology."""

    id: str
    """Such as ``GO:0005737``."""
    name: str | None = absent()
    aspect: Literal["function", "process", "component"]
    qualifier: str | None = absent("How gene and term relate: enables, involved_in, part_of, ...; NOT denies it.")
    evidence: str | None = absent("The ontology's code, such as IDA; IEA was assigned by a program.")
    pmids: list[str] = absent_list("Written as PubMed tools take them.")


class Phenotype(Frozen):
    """A disease or trait that NCBI lists for a gene, or a study that found one."""

    name: str
    omim_ids: list[str] = absent_list("Of the disease, not of the gene.")
    medgen_ids: list[str] = absent_list("Concepts of MedGen.")
    gene_reviews: list[str] = absent_list("Chapters of GeneReviews.")
    sources: list[str] = absent_list("Who lists it: OMIM, MedGen, GTR; EBI GWAS Catalog for a study.")
    pmids: list[str] = absent_list("Written as PubMed tools take them.")


class SlimEntrezGene(SlimRecord):
    """One gene of NCBI Gene in short."""

    id: GeneId
    """``NCBIGene:`` and the GeneID."""
    symbol: str
    """The nomenclature authority's where there is one, else NCBI's."""
    organism: str
    """Scientific name."""
    replaces: str | None = absent("The asked ID, when this record has taken its place.")

    def slim(self) -> "SlimEntrezGene":
        """The short form."""
        return self.shortened(SlimEntrezGene)


class EntrezGene(SlimEntrezGene):
    """One gene as NCBI Gene describes it. Fields without a value are absent."""

    record_parts: ClassVar[Mapping[str, Part]] = {
        "aliases": Part(),
        "other_designations": Part(),
        "cross_references": Part(),
        "go_terms": Part(fields=("go_terms",)),
        "phenotypes": Part(fields=("phenotypes",)),
    }

    name: str | None = absent("Official full name, else the description.")
    description: str | None = absent("The name as NCBI shows it, where that is another.")
    aliases: list[str] = absent_list("Other symbols, previous ones among them.")
    other_designations: list[str] = absent_list("Names of the gene's products, and other full names.")
    taxon_id: int
    """NCBI Taxonomy ID of the organism."""
    gene_type: str
    """NCBI's word: protein-coding, pseudo, ncRNA, biological-region, ..."""
    status: Status
    chromosome: str | None = absent("Such as 8 or MT; 'X, Y' for a pseudoautosomal gene.")
    map_location: str | None = absent("Cytogenetic band or genetic position.")
    assembly_name: str | None = absent("What start and end count on, such as GRCh38.p14.")
    accession: str | None = absent(
        "The scaffold or alternate locus that start and end count on, when it is no chromosome."
    )
    start: int | None = absent("1-based, inclusive, never above end.")
    end: int | None = absent("1-based, inclusive.")
    strand: Literal[1, -1] | None = absent()
    summary: str | None = absent("What the gene does, as RefSeq or another curator wrote it.")
    cross_references: CrossReferences
    """Keys without a value are absent."""
    go_terms: list[GoTerm] = absent_list("Told only where include asks for them.")
    phenotypes: list[Phenotype] = absent_list("Told only where include asks for them.")
    category: Literal["biolink:Gene"] = "biolink:Gene"
    """Biolink class."""
    release: str | None = absent("Annotation release that the coordinates come from.")

    def selected(self, include: Collection[str] = ()) -> Self:
        """The record with these parts whole, and of the other lists as much as its budget allows.

        The notice names each word once: that of ``Record.selected`` would cost more than it lets stand.
        """
        lists = self._lists()
        excluded = dict.fromkeys((*lists, "summary", "go_terms", "phenotypes"), True)
        rest = self.model_dump_json(exclude={**excluded, "cross_references": {"refseq", "uniprot"}})
        counts = fitting_counts(rest, lists)
        lengths = {path: (count, len(lists[path])) for path, count in counts.items() if count < len(lists[path])}
        if not lengths:
            return with_parts(self, self.record_parts, include)[0]
        parts = {name: Part(part.fields, of_part(name, counts)) for name, part in self.record_parts.items()}
        record, _ = with_parts(self, parts, include)
        cuts = [cut(name, of_part(name, lengths)) for name in parts if not is_included(name, include)]
        message = f"Listed: {', '.join(filter(None, cuts))}; more by include."
        return record.noted([Notice(code="LIST_CUT", message=message)]) if any(cuts) else record

    def _lists(self) -> dict[str, list[str]]:
        xrefs = {path: getattr(self.cross_references, path.rpartition(".")[2], None) or [] for path in XREFS}
        return {"aliases": self.aliases, "other_designations": self.other_designations, **xrefs}


class SlimGeneSearchCandidate(SlimRecord):
    """One hit of a gene search in short."""

    id: GeneId
    """``NCBIGene:`` and the GeneID."""
    symbol: str
    organism: str
    """Scientific name."""
    score: Number
    """0-1; never increases along a list, later pages included."""
    match: MatchKind

    def slim(self) -> "SlimGeneSearchCandidate":
        """The short form."""
        return self.shortened(SlimGeneSearchCandidate)


class GeneSearchCandidate(SlimGeneSearchCandidate):
    """One hit of a gene search. Fields without a value are absent."""

    name: str | None = absent("Official full name, else the description.")
    description: str | None = absent("The name as NCBI shows it, where that is another.")
    aliases: list[str] = absent_list("Other symbols, previous ones among them: the first ten.")
    other_designations: list[str] = absent_list("Names of the gene's products, and other full names: the first three.")
    taxon_id: int
    """NCBI Taxonomy ID of the organism."""
    chromosome: str | None = absent("Such as 8 or MT; 'X, Y' for a pseudoautosomal gene.")
    map_location: str | None = absent("Cytogenetic band or genetic position.")


class GeneRif(Record):
    """A GeneRIF: a sentence on a gene's function, with the articles that it comes from."""

    slim_fields: ClassVar[tuple[str, ...]] = ("text", "pmids")
    table_hints: ClassVar[TableHints] = TableHints(wrapped=("text",))

    text: str
    pmids: list[str] = absent_list("Written as PubMed tools take them, newest first.")
    date: str | None = absent("When NCBI took it in, ISO 8601.")


class PubMedLink(Record):
    """One article that NCBI links to a gene."""

    id: ArticleId
    """``PMID:`` and the number."""
    title: str | None = absent("Where titles are asked for; in English, square brackets where it was translated.")
    year: int | None = absent("Where titles are asked for; of the issue, else of the publication online.")
    journal: str | None = absent("Where titles are asked for; its short name; of a chapter, the book's title.")
    retracted: Literal[True] | None = absent("Only where PubMed says that it was.")
