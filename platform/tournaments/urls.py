"""The addresses of matches, and of what concerns all that an account has."""

from django.urls import path

from tournaments import account_views, comparison_views, embedding, people_views, views

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
    path("tables/new/", people_views.table_new, name="table_new"),
    path("tables/<int:pk>/", people_views.table, name="table"),
    path("tables/<int:pk>/news/", people_views.table_news, name="table_news"),
    path("tables/<int:pk>/answer/", people_views.table_answer, name="table_answer"),
    path("tables/<int:pk>/leave/", people_views.table_leave, name="table_leave"),
    path("account/export/", account_views.export, name="account_export"),
    path("account/delete/", account_views.delete, name="account_delete"),
]
