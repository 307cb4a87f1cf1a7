"""What a hint says of terms: ontologies tell diseases, phenotypes and tissues apart, lookups do not. Pure."""

from collections.abc import Sequence

from biofact.core.errors import CallTool, UnresolvedEntity
from biofact.sources.igvf.reading.refusals import GET_ENTITY
from biofact.sources.igvf.records import Entity, TermEntity

_ANY = "biolink:OntologyClass"  # of an ontology with several kinds of things in it, such as EFO
_TISSUES = frozenset({_ANY, "biolink:AnatomicalEntity", "biolink:Cell", "biolink:CellLine"})
_BY_HINT = {
    "disease": frozenset({_ANY, "biolink:Disease", "biolink:PhenotypicFeature"}),
    "phenotype": frozenset(
        {_ANY, "biolink:Disease", "biolink:PhenotypicFeature", "biolink:BiologicalProcess", "biolink:MolecularActivity"}
    ),
    "tissue": _TISSUES,
}


def is_tissue(term: TermEntity) -> bool:
    """Whether a term may be of a tissue, cell or cell line."""
    return term.category in _TISSUES


def check_hint(text: str, found: Sequence[Entity], hint: str | None) -> None:
    """Raise where all that was found is something else than the hint says.

    Raises:
        UnresolvedEntity: the error says what it is.
    """
    fitting = _BY_HINT.get(hint or "")
    terms = [one for one in found if isinstance(one, TermEntity)]
    if fitting is None or not terms or any(one.category in fitting for one in terms):
        return
    first = terms[0]
    kind = first.category.removeprefix("biolink:")
    raise UnresolvedEntity(
        f"{text!r:.120} is {first.id} ({first.name}), of the kind {kind}, which is no {hint}.",
        hint="Ask without the hint.",
        invalid_input=text,
        recovery=CallTool(GET_ENTITY, {"id": text}),
    )
