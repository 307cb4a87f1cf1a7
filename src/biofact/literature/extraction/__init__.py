"""Features of articles: by rules or by a model, every value on its evidence."""
