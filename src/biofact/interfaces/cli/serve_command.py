"""``biofact serve`` as the command line declares it: its help and its mistakes. What serves stands in ``serve.py``."""

from biofact.core.usage import WrongUsage
from biofact.interfaces.cli.commands import SANDBOX
from biofact.interfaces.cli.own_options import HOSTS, HTTP, NO_AUTH, ORIGINS, SOURCE, URL, WORKERS


def serve(  # noqa: PLR0913  # its options
    source: SOURCE = None,
    /,
    *,
    http: HTTP = None,
    no_auth: NO_AUTH = False,
    workers: WORKERS = None,
    url: URL = None,
    allow_host: HOSTS = None,
    allow_origin: ORIGINS = None,
    sandbox: SANDBOX = False,
) -> None:
    """Serve MCP: every source, or one. Over stdio; with `--http` at /mcp.

    An agent's client starts this by itself; `biofact install` sets one up.
    """
    from biofact.gateway.hosting import HostingOptions  # noqa: PLC0415
    from biofact.interfaces import serve as server  # noqa: PLC0415  # help needs none of it

    options = {"no_auth": no_auth, "workers": workers, "url": url, "hosts": allow_host, "origins": allow_origin}
    if http is None and any(options.values()):
        raise WrongUsage(
            "This option is for a server over HTTP.", hint="Give --http an address, such as 127.0.0.1:8000."
        )
    hosting = None
    if http is not None:
        hosting = HostingOptions(http, url, workers, no_auth, tuple(allow_host or ()), tuple(allow_origin or ()))
    server.run(server.Serving(source, sandbox, hosting))
