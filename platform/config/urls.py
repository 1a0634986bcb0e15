"""Which address leads where."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from config import finding, previews, views
from config.health import health

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    path("status/", views.status, name="status"),
    path("players/<slug:username>/", views.player, name="player"),
    path("bots/", finding.bot_list, name="bot_list"),
    path("bots/", include("bots.urls")),
    path("bots/<slug:name>/", views.bot, name="bot"),
    path("bots/<slug:name>/preview.png", previews.bot, name="bot_preview"),
    path("ladders/", include("ladders.urls")),
    path("ladders/<slug:slug>/", views.ladder, name="ladder"),
    path("ladders/<slug:slug>/tables/", views.ladder_tables, name="ladder_tables"),
    path("ladders/<slug:slug>/preview.png", previews.ladder, name="ladder_preview"),
    path("matches/<int:pk>/preview.png", previews.match, name="match_preview"),
    path("", include("config.docs.urls")),
    path("search/", finding.search, name="search"),
    path("", include("tournaments.urls")),
    path("", include("accounts.urls")),
    path("api/", include("config.api.urls")),
    path("worker/", include("tournaments.desk_urls")),
    path("health", health, name="health"),
    path("admin/", admin.site.urls),
]

handler500 = "config.api.problems.broken"
