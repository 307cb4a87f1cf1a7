"""The tools that refusals lead to, and how a refusal quotes its input. Pure."""

from biofact.core.errors import CallTool, ToolRef

GET_ENTITY = ToolRef("igvf", "get_entity")
FIND_ASSOCIATIONS = ToolRef("igvf", "find_associations")
SEARCH_TERMS = ToolRef("igvf", "search_terms")
SEARCH_REGION = ToolRef("igvf", "search_region")
GET_COMPOUND = ToolRef("chembl", "get_compound")


def quoted(text: str) -> str:
    """``text`` as a message shows it: in quotes, and cut where it is long."""
    return f"{text!r:.120}"


def entity_call(entity_id: str) -> CallTool:
    """The call that looks an entity up by this ID."""
    return CallTool(GET_ENTITY, {"id": entity_id})
