"""The site as uvicorn calls it: Django's pages, each request in a thread."""

from a2wsgi import WSGIMiddleware

from config.wsgi import application as pages

application = WSGIMiddleware(pages, workers=8)  # type: ignore[arg-type]  # Django answers with bytes
