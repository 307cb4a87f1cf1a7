"""From a research goal in words to PubMed queries: by rules, with suggestions of a model among them."""
