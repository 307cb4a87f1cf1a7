"""The same thing in several databases: what a name stands for in all of them, and whether they agree."""
