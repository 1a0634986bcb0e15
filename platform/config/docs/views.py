"""The pages of the documentation, of the games and of the examples."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from bots.examples import all_examples
from config.docs import pages
from config.docs.markdown import Rendered
from games import GAMES
from jobs.models import Worker
from ladders.models import Ladder
from ladders.standings import summaries

WITH_LANGUAGES = "box"


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    return shown(request, pages.index())


@require_safe
def page(request: HttpRequest, page: str) -> HttpResponse:
    if page in GAMES or page not in (each.name for each in pages.contents()):
        raise Http404("The documentation has no such page.")
    about = {"languages": languages_here()} if page == WITH_LANGUAGES else {}
    return shown(request, pages.page_named(page), **about)


@require_safe
def examples(request: HttpRequest) -> HttpResponse:
    return shown(request, pages.examples(), examples=all_examples())


def shown(request: HttpRequest, page: Rendered, **about: Any) -> HttpResponse:
    return render(request, "docs/page.html", {"page": page, "contents": pages.contents(), **about})


def languages_here() -> list[tuple[str, str]]:
    """What the workers that are there have, by language; several versions where they differ."""
    versions: dict[str, set[str]] = {}
    for languages in Worker.objects.present(timezone.now()).values_list("languages", flat=True):
        for language, version in languages.items():
            versions.setdefault(language, set()).add(version)
    return [(language, ", ".join(sorted(found))) for language, found in sorted(versions.items())]


# -- Games ----------------------------------------------------------------------------------------


@require_safe
def game_list(request: HttpRequest) -> HttpResponse:
    games = [about_game(page.name) | {"about": page.about} for page in pages.game_pages()]
    return render(request, "docs/games.html", {"games": games})


@require_safe
def game(request: HttpRequest, game: str) -> HttpResponse:
    if game not in GAMES:
        raise Http404("There is no such game.")
    about = about_game(game) | {
        "page": pages.page_named(game),
        "contents": pages.contents(),
        "examples": [example for example in all_examples() if example.game == game],
    }
    return render(request, "docs/game.html", about)


def about_game(name: str) -> dict[str, Any]:
    """A game with its ladders that are open to everybody, always."""
    ladders = Ladder.objects.filter(is_public=True, is_standard=True, game=name)
    return {"game": name, "ladders": summaries(ladders)}


# -- Files ----------------------------------------------------------------------------------------


@require_safe
def file(request: HttpRequest, file: str) -> HttpResponse:
    """A file that a page tells its readers to take."""
    if file not in pages.FILES:
        raise Http404("The documentation has no such file.")
    return download((pages.FOLDER / file).read_bytes(), file)


@require_safe
def example(request: HttpRequest, game: str, language: str, file: str) -> HttpResponse:
    wanted = (game, language, file)
    for example in all_examples():
        if wanted == (example.game, example.language, example.path.name):
            return download(example.data, file)
    raise Http404("There is no such example.")


def download(data: bytes, name: str) -> HttpResponse:
    said = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(data, content_type="text/plain; charset=utf-8", headers=said)
