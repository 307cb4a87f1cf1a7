"""Which terms fit a hint: their ontologies distinguish diseases, phenotypes and tissues, lookups do not. Pure."""

from collections.abc import Sequence

from biofact.core.errors import CallTool, UnresolvedEntity
from biofact.sources.igvf.identifiers.kinds import GET_ENTITY
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


def fitting_entities(text: str, found: Sequence[Entity], hint: str | None) -> tuple[Entity, ...]:
    """The terms of the kind that the hint names; all entities where it is no kind of terms.

    Raises:
        UnresolvedEntity: none is; the error says what they are.
    """
    kinds = _BY_HINT.get(hint or "")
    terms = [term for term in found if isinstance(term, TermEntity)]
    if kinds is None or not terms:
        return tuple(found)
    sure = [
        term for term in terms if term.category != _ANY
    ]  # an open one of the same name is most likely the same thing
    if any(term.category in kinds for term in sure or terms):
        return tuple(term for term in terms if term.category in kinds)
    first = (sure or terms)[0]
    kind = first.category.removeprefix("biolink:")
    raise UnresolvedEntity(
        f"{text!r:.120} is {first.id} ({first.name}), of the kind {kind}, which is no {hint}.",
        hint="Ask without the hint.",
        invalid_input=text,
        recovery=CallTool(GET_ENTITY, {"id": text}),
    )
