"""A gateway with its page as an ASGI app: FastMCP's own, with the routes of the page beside it."""

from biofact.interfaces.http.page.routes import routes


def page_app(server, **options):
    """The app of a server; options are those of ``routes``."""
    app = server.http_app(path="/mcp", json_response=True, stateless_http=True, host_origin_protection=True)
    app.router.routes.extend(routes(server, **options))
    return app
