"""The addresses of the documentation, of the games and of the examples."""

from django.urls import path

from config.docs import views

urlpatterns = [
    path("docs/", views.index, name="docs"),
    path("docs/examples/", views.examples, name="examples"),
    path("docs/examples/<slug:game>/<slug:language>/<str:file>", views.example, name="example"),
    path("docs/files/<str:file>", views.file, name="docs_file"),
    path("docs/<slug:page>/", views.page, name="docs_page"),
    path("games/", views.game_list, name="game_list"),
    path("games/<slug:game>/", views.game, name="game"),
]
