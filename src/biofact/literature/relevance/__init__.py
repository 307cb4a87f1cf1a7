"""How much an article speaks of a goal: its concepts, where they stand in the text, and BM25. Pure; no model."""

from biofact.literature.relevance.bm25 import MENTION_WEIGHTS, relevance
from biofact.literature.relevance.concepts import GoalConcept, goal_concepts
from biofact.literature.relevance.phrases import PhraseFinder

__all__ = ["MENTION_WEIGHTS", "GoalConcept", "PhraseFinder", "goal_concepts", "relevance"]
