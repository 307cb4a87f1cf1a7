"""The choices of the pipeline's arguments. Imports nothing, since the help of a command reads it."""

from typing import Literal

Domain = Literal["medical", "technology", "biology", "psychology", "general"]
TimeFrame = Literal["last_year", "last_5_years", "last_10_years", "all_time"]
StudyType = Literal["Clinical Trial", "Review", "Meta-Analysis", "Case Study", "Observational Study"]
QueryStrategy = Literal["comprehensive", "focused", "exploratory"]
ScoringMethod = Literal["weighted_sum", "composite", "ml_model"]
