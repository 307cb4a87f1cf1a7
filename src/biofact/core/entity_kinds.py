"""The kinds of entity that names stand for, across all databases."""

from typing import Literal

EntityKind = Literal["gene", "transcript", "protein", "compound", "variant", "disease", "region", "article"]

EntityStatus = Literal["current", "replaced", "withdrawn", "retracted", "updated"]
"""``replaced``: the name is an old ID of the entity; ``withdrawn``: the database has taken it back; of articles,
``retracted`` wholly or in part, and ``updated`` by a later one: their records say by which notice."""
