"""Population, intervention, comparator and outcome: every token of an article labelled, all labels decided together."""
