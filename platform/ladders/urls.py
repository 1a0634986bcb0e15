"""The addresses of ladders."""

from django.urls import path

from ladders import views

urlpatterns = [
    path("", views.ladder_list, name="ladder_list"),
    path("new/", views.new, name="ladder_new"),
    path("<slug:slug>/enter/", views.enter, name="ladder_enter"),
    path("<slug:slug>/leave/", views.leave, name="ladder_leave"),
    path("<slug:slug>/join/", views.join, name="ladder_join"),
]
