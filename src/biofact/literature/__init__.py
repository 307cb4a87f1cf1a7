"""From a goal to a ranking: query, articles, features, scores. Every value stands on its place in the text."""
