"""Kinds of entity that names stand for, and what of an entity a query matches, across all databases."""

from typing import Literal

EntityKind = Literal["gene", "transcript", "protein", "compound", "variant", "disease", "region", "article"]

EntityStatus = Literal["current", "replaced", "withdrawn", "retracted", "updated"]
"""``replaced``: the name is an old ID of the entity; ``withdrawn``: the database has taken it back; of articles,
``retracted`` wholly or in part, and ``updated`` by a later one: their records say by which notice."""

MatchKind = Literal["id", "symbol", "alias", "name", "text", "near"]
"""The part of a gene that the query matched. The sources so far do not tell previous symbols from other aliases."""

EntityMatch = Literal["id", "symbol", "alias", "name", "trade_name", "synonym", "structure", "text", "near"]
"""The part of an entity of any kind that the query matched."""
