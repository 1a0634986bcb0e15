"""The addresses of the API; none has a slash at its end."""

from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.views import SpectacularSwaggerSplitView

from accounts import api as accounts
from bots import api as bots
from config.api import site
from config.api.problems import nothing_here
from config.api.schema import schema
from ladders import api as ladders
from tournaments import api as tournaments
from tournaments import comparison_api as comparisons

app_name = "api"
VERSION = "bots/<slug:name>/versions/<int:number>"

version_1: list[URLPattern | URLResolver] = [
    path("bots", bots.BotList.as_view(), name="bots"),
    path("bots/<slug:name>", bots.BotDetail.as_view(), name="bot"),
    path("bots/<slug:name>/pause", bots.BotPause.as_view(), name="bot_pause"),
    path("bots/<slug:name>/resume", bots.BotResume.as_view(), name="bot_resume"),
    path("bots/<slug:name>/retire", bots.BotRetire.as_view(), name="bot_retire"),
    path("bots/<slug:name>/versions", bots.VersionList.as_view(), name="versions"),
    path(VERSION, bots.VersionDetail.as_view(), name="version"),
    path(f"{VERSION}/activate", bots.VersionActivate.as_view(), name="version_activate"),
    path(f"{VERSION}/archive", bots.VersionArchive.as_view(), name="version_archive"),
    path(f"{VERSION}/log", bots.VersionLog.as_view(), name="version_log"),
    path("ladders", ladders.LadderList.as_view(), name="ladders"),
    path("ladders/<slug:slug>", ladders.LadderDetail.as_view(), name="ladder"),
    path("ladders/<slug:slug>/join", ladders.LadderJoin.as_view(), name="ladder_join"),
    path("ladders/<slug:slug>/log", tournaments.LadderLog.as_view(), name="ladder_log"),
    path("ladders/<slug:slug>/standings", ladders.Standings.as_view(), name="standings"),
    path("ladders/<slug:slug>/crosstable", ladders.Crosstable.as_view(), name="crosstable"),
    path("ladders/<slug:slug>/entries", ladders.Entries.as_view(), name="entries"),
    path("ladders/<slug:slug>/entries/<slug:name>", ladders.EntryDetail.as_view(), name="entry"),
    path("matches", tournaments.MatchList.as_view(), name="matches"),
    path("matches/export", tournaments.MatchExport.as_view(), name="matches_export"),
    path("matches/<int:id>", tournaments.MatchDetail.as_view(), name="match"),
    path("matches/<int:id>/replay", tournaments.MatchReplay.as_view(), name="match_replay"),
    path(
        "matches/<int:id>/replay/private",
        tournaments.MatchOwnersReplay.as_view(),
        name="match_replay_private",
    ),
    path("challenges", tournaments.ChallengeList.as_view(), name="challenges"),
    path("comparisons", comparisons.ComparisonList.as_view(), name="comparisons"),
    path("comparisons/<int:id>", comparisons.ComparisonDetail.as_view(), name="comparison"),
    path(
        "comparisons/<int:id>/cancel",
        comparisons.ComparisonCancel.as_view(),
        name="comparison_cancel",
    ),
    path("tokens", accounts.TokenList.as_view(), name="tokens"),
    path("tokens/<int:id>", accounts.TokenDetail.as_view(), name="token"),
    path("notices", accounts.NoticeList.as_view(), name="notices"),
    path("notices/<int:id>/read", accounts.NoticeRead.as_view(), name="notice_read"),
    path("me", site.Me.as_view(), name="me"),
    path("games", site.GameList.as_view(), name="games"),
    path("status", site.Status.as_view(), name="status"),
]

urlpatterns = [
    path("v1/", include(version_1)),
    path("schema", schema, name="schema"),
    path(
        "docs",
        SpectacularSwaggerSplitView.as_view(url_name="api:schema", template_name="api_docs.html"),
        name="docs",
    ),
    re_path("", nothing_here, name="nothing"),
]
