"""What is to be said of the targets that an ID stands for. Pure."""

from collections.abc import Sequence

from biofact.core.provenance import Notice
from biofact.sources.chembl.chembl_ids import curie
from biofact.sources.chembl.parse import Target

_SEVERAL, _MOST_NAMED = 2, 10


def several_targets(target_id: str | None, targets: Sequence[Target]) -> list[Notice]:
    """Says which targets a UniProt entry stands for, where these are several."""
    if target_id is None or len(targets) < _SEVERAL:
        return []
    named = ", ".join(f"{curie(one.id)} ({one.name}; {one.type})" for one in targets[:_MOST_NAMED])
    more = f" and {len(targets) - _MOST_NAMED} others" if len(targets) > _MOST_NAMED else ""
    message = f"{target_id} is a component of {len(targets)} targets, all of which count: {named}{more}."
    return [Notice(code="QUERY_UNDERSTOOD", message=message)]
