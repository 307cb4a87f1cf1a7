"""The ID that the strict tools take."""

from biofact.core.errors import ToolRef
from biofact.core.identifiers import declare, numbered

SEARCH = ToolRef("acme", "search_entries")
ENTRY_ID = declare(numbered("Acme ID", "ACME", "1001", SEARCH))
