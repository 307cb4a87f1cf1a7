"""Why an ID leads to nothing, and what to do about it. Pure."""

from biofact.core.errors import BiofactError, CallTool, EntityNotFound, EntityRetired, UnresolvedEntity
from biofact.core.identifiers import QUERY_LENGTH
from biofact.protocol.lookup import unsent
from biofact.sources.chembl.identifiers import GET_COMPOUND, ON_TARGET, SEARCH, curie
from biofact.sources.chembl.parse import Known

_COMPOUND, _TARGET = "COMPOUND", "TARGET"


def is_unsent(known: Known | None) -> bool:
    """Whether an ID is of a compound that is there, though ChEMBL did not send it."""
    return known is not None and known.type == _COMPOUND and known.is_active


def no_compound(asked: str, known: Known | None) -> BiofactError:
    """``asked`` names no compound that can be described."""
    if known is None:
        hint = f"Check the ID, or call {SEARCH} with the compound's name."
        return EntityNotFound(f"ChEMBL has no entry {asked}.", hint=hint, invalid_input=asked)
    if is_unsent(known):
        return unsent("ChEMBL", asked, status="as a compound")
    if known.type == _COMPOUND:
        hint = f"Call {SEARCH} with the compound's name, if you know it."
        message = f"{asked} was withdrawn from ChEMBL; nothing is known to replace it."
        return EntityRetired(message, hint=hint, invalid_input=asked)
    return _of_another_kind(asked, known, "compound")


def no_target(asked: str, known: Known | None) -> BiofactError:
    """``asked`` names no target."""
    if known is None:
        return EntityNotFound(
            f"ChEMBL has no target {asked}.",
            hint="Check the ID; compounds are measured on few of all proteins.",
            invalid_input=asked,
        )
    if known.type == _TARGET:
        return unsent("ChEMBL", asked, status="as a target")
    return _of_another_kind(asked, known, "target")


def _of_another_kind(asked: str, known: Known, wanted: str) -> UnresolvedEntity:
    message = f"{asked} is a ChEMBL {known.type.lower()}, not a {wanted}."
    tools = {_TARGET: (ON_TARGET, "target_id"), _COMPOUND: (GET_COMPOUND, "chembl_id")}
    if known.type not in tools:
        hint = f"No tool describes a {known.type.lower()}; call {SEARCH} with the name of a compound."
        return UnresolvedEntity(message, hint=hint, invalid_input=asked)
    tool, parameter = tools[known.type]
    recovery = CallTool(tool, {parameter: curie(known.id)})
    return UnresolvedEntity(message, hint=f"Call {tool} for it.", invalid_input=asked, recovery=recovery)


def is_unsent_target(known: Known | None) -> bool:
    """Whether an ID is of a target that is there, though ChEMBL did not send it."""
    return known is not None and known.type == _TARGET and known.is_active


def neither_structure_nor_id(asked: str) -> UnresolvedEntity:
    """What is to be compared is neither a SMILES nor an ID."""
    message = f"{asked!r:.120} is neither a SMILES nor a ChEMBL compound ID; expected a form like 'CHEMBL:25'."
    is_query = len(asked) in QUERY_LENGTH
    return UnresolvedEntity(
        message,
        hint=f"Call {SEARCH} to resolve the name first.",
        invalid_input=asked,
        recovery=CallTool(SEARCH, {"query": asked}) if is_query else None,
    )


def no_structure(asked: str, name: str) -> EntityNotFound:
    """The compound has no structure that could be drawn."""
    hint = f"Proteins, antibodies and mixtures have none; {GET_COMPOUND} tells what the molecule is."
    return EntityNotFound(f"ChEMBL has no structure of {asked} ({name}).", hint=hint, invalid_input=asked)
