"""The addresses of matches, and of what concerns all that an account has."""

from django.urls import path

from tournaments import account_views, views

urlpatterns = [
    path("matches/", views.match_list, name="match_list"),
    path("matches/<int:pk>/", views.match, name="match"),
    path("matches/<int:pk>/replay.json", views.replay, name="match_replay"),
    path("matches/<int:pk>/legs/<int:number>.json", views.leg, name="match_leg"),
    path("matches/<int:pk>/legs/<int:number>/private.json", views.leg_private, name="leg_private"),
    path("challenges/new/", views.challenge, name="challenge_new"),
    path("account/export/", account_views.export, name="account_export"),
    path("account/delete/", account_views.delete, name="account_delete"),
]
