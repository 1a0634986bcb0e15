"""The addresses of matches, and of what concerns all that an account has."""

from django.urls import path

from tournaments import account_views, comparison_views, embedding, views

urlpatterns = [
    path("matches/", views.match_list, name="match_list"),
    path("matches/<int:pk>/", views.match, name="match"),
    path("matches/<int:pk>/replay.json", views.replay, name="match_replay"),
    path("matches/<int:pk>/legs/<int:number>.json", views.leg, name="match_leg"),
    path("matches/<int:pk>/legs/<int:number>/private.json", views.leg_private, name="leg_private"),
    path("matches/<int:pk>/embed/", embedding.embed, name="match_embed"),
    path("oembed", embedding.oembed, name="oembed"),
    path("challenges/new/", views.challenge, name="challenge_new"),
    path("comparisons/", comparison_views.comparison_list, name="comparison_list"),
    path("comparisons/<int:pk>/", comparison_views.comparison, name="comparison"),
    path("comparisons/<int:pk>/cancel/", comparison_views.cancel, name="comparison_cancel"),
    path("bots/<slug:name>/compare/", comparison_views.new, name="comparison_new"),
    path("account/export/", account_views.export, name="account_export"),
    path("account/delete/", account_views.delete, name="account_delete"),
]
