"""The ID that the strict tools take."""

from biofact.core.errors import ToolRef
from biofact.core.identifiers import curie_kind, declare

SEARCH = ToolRef("acme", "search_entries")
ENTRY_ID = declare(curie_kind("Acme ID", "ACME", "1001", SEARCH))
