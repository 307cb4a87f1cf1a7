"""Which command answers a question in words: the declarations of all commands as documents, ranked by their words."""
