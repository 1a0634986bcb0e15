"""The addresses of bots and versions."""

from django.urls import path

from bots import views

urlpatterns = [
    path("new/", views.new, name="bot_new"),
    path("<slug:name>/upload/", views.upload, name="bot_upload"),
    path("<slug:name>/activate/", views.activate, name="bot_activate"),
    path("<slug:name>/pause/", views.pause, name="bot_pause"),
    path("<slug:name>/resume/", views.resume, name="bot_resume"),
    path("<slug:name>/rename/", views.rename, name="bot_rename"),
    path("<slug:name>/retire/", views.retire, name="bot_retire"),
    path("<slug:name>/versions/<int:number>/", views.version, name="version"),
    path("<slug:name>/versions/<int:number>/check", views.check, name="version_check"),
    path("<slug:name>/versions/<int:number>/log", views.log, name="version_log"),
    path("<slug:name>/versions/<int:number>/archive", views.archive, name="version_archive"),
]
