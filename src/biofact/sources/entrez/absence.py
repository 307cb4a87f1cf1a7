"""Why an ID leads to no gene, and what to do about it. Pure."""

from collections.abc import Sequence

from biofact.core.errors import CallTool, EntityNotFound, EntityRetired, ToolRef
from biofact.core.identifiers import QUERY_LENGTH
from biofact.sources.entrez.parse import ParsedGene
from biofact.sources.entrez.records import curie
from biofact.sources.entrez.search import SEARCH

BATCH = ToolRef("entrez", "get_genes_batch")


def unknown(entrez_id: str, uid: str) -> EntityNotFound:
    """NCBI has no record ``uid``, to which ``entrez_id`` leads."""
    message = f"NCBI Gene has no record {entrez_id}."
    if curie(uid) != entrez_id:
        message = f"{entrez_id} was replaced by {curie(uid)}, of which NCBI Gene has no record."
    hint = f"Check the number, or call {SEARCH} with the gene's symbol."
    return EntityNotFound(message, hint=hint, invalid_input=entrez_id)


def gone(entrez_id: str, trail: Sequence[str], last: ParsedGene) -> EntityNotFound:
    """The trail of replacements from ``entrez_id`` ends at a record that is not live, or has no end."""
    steps = " > ".join(map(curie, trail))
    if len(last.current_ids) > 1:
        return _several(entrez_id, [curie(uid) for uid in last.current_ids])
    if last.current_ids:
        return EntityRetired(
            f"{entrez_id} leads to no current record: its replacements run in a circle or too far ({steps}).",
            hint=f"Call {SEARCH} with the symbol {last.gene.symbol}.",
            invalid_input=entrez_id,
        )
    if last.status != "discontinued":
        return EntityNotFound(
            f"{last.gene.id} is no gene, but a record for NCBI's own use.",
            hint=f"Call {SEARCH} with the gene's symbol.",
            invalid_input=entrez_id,
        )
    return _withdrawn(entrez_id, steps, last)


def _several(entrez_id: str, current_ids: list[str]) -> EntityRetired:
    """Which of them is meant is the caller's to say; the way on shows them side by side."""
    return EntityRetired(
        f"{entrez_id} was replaced by several genes: {', '.join(current_ids)}.",
        hint=f"Call {BATCH} to see them, and choose.",
        invalid_input=entrez_id,
        recovery=CallTool(BATCH, {"entrez_ids": current_ids}),
    )


def _withdrawn(entrez_id: str, steps: str, last: ParsedGene) -> EntityRetired:
    when = f" on {last.discontinued_on}" if last.discontinued_on else ""
    trail = f" ({steps})" if last.gene.id != entrez_id else ""
    symbol = last.gene.symbol
    is_name = len(symbol) in QUERY_LENGTH and symbol.removeprefix("LOC") != last.gene.id.partition(":")[2]
    return EntityRetired(
        f"NCBI withdrew {last.gene.id} ({symbol}){when}; nothing replaced it{trail}.",
        hint=f"Call {SEARCH} to see which genes carry the symbol {symbol} now." if is_name else "Nothing leads on.",
        invalid_input=entrez_id,
        recovery=CallTool(SEARCH, {"query": symbol}) if is_name else None,
    )
