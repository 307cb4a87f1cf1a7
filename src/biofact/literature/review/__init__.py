"""A literature review from goal to report in one run, which goes on where it was stopped, whatever stopped it."""
