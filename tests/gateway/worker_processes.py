"""The work of worker processes in tests. Each imports this module, so it imports hardly anything."""

import os

from biofact.core.usage import WrongUsage


def answer_slowly(listener, on_ready):
    """A process that sends its number to each connection."""
    on_ready()
    while True:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(str(os.getpid()).encode())


def refuse_to_start(listener, on_ready):
    """A process that cannot start."""
    raise WrongUsage("There is no such thing.", hint="Name another.")


def die(listener, on_ready):
    """A process that ends without a message."""
    os._exit(3)


def refusing_one_after_the_other(listener, on_ready):
    """Processes that cannot start, the second long after the first."""
    connection, _ = listener.accept()
    connection.close()
    refuse_to_start(listener, on_ready)
