"""The addresses of accounts. Of allauth's only those that the site has a use for, by allauth's names."""

from allauth.account import views as allauth
from django.urls import path, re_path

from accounts import views

urlpatterns = [
    path("accounts/login/", allauth.login, name="account_login"),
    path("accounts/logout/", allauth.logout, name="account_logout"),
    path("accounts/signup/", views.SignUp.as_view(), name="account_signup"),
    path("accounts/reauthenticate/", allauth.reauthenticate, name="account_reauthenticate"),
    path("accounts/email/", allauth.email, name="account_email"),
    re_path(
        r"^accounts/confirm-email/(?P<key>[-:\w]+)/$",
        allauth.confirm_email,
        name="account_confirm_email",
    ),
    path("accounts/password/change/", allauth.password_change, name="account_change_password"),
    path("accounts/password/reset/", allauth.password_reset, name="account_reset_password"),
    path(
        "accounts/password/reset/done/",
        allauth.password_reset_done,
        name="account_reset_password_done",
    ),
    re_path(
        r"^accounts/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        allauth.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "accounts/password/reset/key/done/",
        allauth.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("account/", views.account, name="account"),
    path("account/tokens/", views.token_new, name="token_new"),
    path("account/tokens/<int:pk>/revoke/", views.token_revoke, name="token_revoke"),
    path("account/notices/<int:pk>/read/", views.notice_read, name="notice_read"),
    path("account/notices/read/", views.notices_read, name="notices_read"),
]
