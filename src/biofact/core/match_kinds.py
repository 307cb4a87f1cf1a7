"""What of a gene a query can match."""

from typing import Literal

MatchKind = Literal["id", "symbol", "alias", "name", "text", "near"]
"""What of a gene the query matched. The sources so far do not tell previous symbols from other aliases."""
