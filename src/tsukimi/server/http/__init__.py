"""The HTTP API and the web site: routes, handlers, security, static files."""
