"""What a person at the command line asked for in a way that cannot be done."""


class WrongUsage(ValueError):
    """What is wrong, and how to ask instead."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint
