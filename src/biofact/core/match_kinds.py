"""What of an entity a query can match."""

from typing import Literal

MatchKind = Literal["id", "symbol", "alias", "name", "text", "near"]
"""What of a gene the query matched. The sources so far do not tell previous symbols from other aliases."""

EntityMatch = Literal["id", "symbol", "alias", "name", "trade_name", "synonym", "structure", "text", "near"]
"""The same of entities of any kind."""
