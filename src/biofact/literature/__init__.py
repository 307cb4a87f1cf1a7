"""From a goal to a ranking: query, articles, features, scores. Every value has its quote as evidence."""
