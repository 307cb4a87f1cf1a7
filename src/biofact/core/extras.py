"""The packages of our extras, for messages that say what to install. biofact itself is on no package index."""

import shlex
from importlib.metadata import PackageNotFoundError, requires


def install_command(extra: str) -> str:
    """The command that installs what an extra names, such as ``pip install 'redis>=6'``."""
    try:
        requirements = requires("biofact") or []
    except PackageNotFoundError:  # run from its source tree, without being installed
        requirements = []
    packages = [text.partition(";")[0].strip() for text in requirements if text.endswith(f'extra == "{extra}"')]
    return f"pip install {shlex.join(packages or [f'.[{extra}]'])}"
