"""The usage examples and templates of the specification."""

DIAGNOSIS = "Find recent studies on machine learning applications in medical diagnosis"
GUT = "Explore connections between gut microbiome and mental health"
GOALS = {
    "pipeline": {
        "research_goal": DIAGNOSIS,
        "domain": "medical",
        "time_frame": "last_year",
        "study_types": ["Clinical Trial", "Review"],
        "max_queries": 3,
    },
    "exploratory": {"research_goal": GUT, "domain": "medical", "query_strategy": "exploratory", "max_queries": 5},
    "focused": {
        "research_goal": "Find validation studies for BERT-based clinical text classification models",
        "domain": "technology",
        "time_frame": "last_5_years",
        "keywords": ["BERT", "clinical text", "validation"],
        "exclude_terms": ["review", "opinion"],
        "query_strategy": "focused",
    },
    "several domains": {
        "research_goal": "Investigate AI ethics in healthcare applications",
        "domain": "general",
        "keywords": ["artificial intelligence", "ethics", "healthcare"],
        "study_types": ["Review", "Meta-Analysis"],
        "query_strategy": "comprehensive",
    },
}
MEDICAL = {
    "study_type": "string",
    "participant_count": "number",
    "primary_outcome": "string",
    "statistical_significance": "boolean",
    "effect_size": "number",
}
TECHNOLOGY = {
    "technology_domain": "string",
    "benchmarks_used": "array[string]",
    "performance_improvement": "number",
    "computational_cost": "string",
    "code_availability": "boolean",
}
USAGE = {
    "methodology": "string",
    "dataset_size": "number",
    "key_contribution": "string",
    "limitations": "array[string]",
}
PARAMETER = {"methodology": "string", "sample_size": "number", "key_findings": "array[string]"}
"""The specification's two templates, its usage example, and its example of the parameter."""
INSTRUCTIONS = "methodology: the approach; dataset_size: how many samples; key_contribution: what is new; limitations"
SCORING = {
    "weights": {"methodology": 0.4, "dataset_size": 0.2, "novelty": 0.4},
    "scoring_functions": {"methodology": "categorical_score", "dataset_size": "log_scale", "novelty": "text_quality"},
}
"""The specification's advanced scoring: no schema of its examples has novelty."""
CRITERIA_WEIGHTS = {"methodology_quality": 0.3, "sample_size": 0.2, "novelty": 0.25, "relevance": 0.25}
"""The specification's example of scoring criteria."""
TEMPLATE_WEIGHTS = {
    "medical": {"study_type": 0.3, "participant_count": 0.25, "statistical_significance": 0.25, "effect_size": 0.2},
    "technology": {"performance_improvement": 0.4, "benchmarks_used": 0.3, "code_availability": 0.3},
}
