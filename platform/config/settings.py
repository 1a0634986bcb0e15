"""The site's settings. What differs between machines is read from the environment."""

import os
from datetime import timedelta
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import dj_database_url
from csp.constants import SELF
from django.core.exceptions import ImproperlyConfigured

from config.environment import cache_beside, number_of, switched_on, value_of, words_of

ROOT = Path(__file__).resolve().parents[2]
PLATFORM = ROOT / "platform"
DEVELOPMENT_KEY = "for-development-only-and-refused-anywhere-else-since-everyone-can-read-it"

# -- What this machine is for ---------------------------------------------------------------------

PRODUCTION = switched_on("KIBITZ_PRODUCTION", default=False)
DEBUG = switched_on("KIBITZ_DEBUG", default=not PRODUCTION)
HTTPS = switched_on("KIBITZ_HTTPS", default=PRODUCTION)
SECRET_KEY = value_of("KIBITZ_SECRET_KEY", DEVELOPMENT_KEY)
DATA = Path(value_of("KIBITZ_DATA") or ROOT / "var")
BROKER = value_of("KIBITZ_BROKER")
SITE_ADDRESS = value_of("KIBITZ_SITE", "http://localhost:8000")

# How the boxes of this site's workers are trusted: a record or a claim in another mode is refused.
LOCAL_SANDBOX = switched_on("KIBITZ_LOCAL_SANDBOX", default=not PRODUCTION)

# Comma-separated. Empty means, while debugging, this machine only; otherwise nobody.
ALLOWED_HOSTS = words_of("KIBITZ_HOSTS")
CSRF_TRUSTED_ORIGINS = words_of("KIBITZ_ORIGINS")

if PRODUCTION and DEBUG:
    raise ImproperlyConfigured("In production KIBITZ_DEBUG must be 0.")
if PRODUCTION and LOCAL_SANDBOX:
    raise ImproperlyConfigured("In production bots run in boxes: KIBITZ_LOCAL_SANDBOX must be 0.")
if PRODUCTION and not ALLOWED_HOSTS:
    raise ImproperlyConfigured("In production set KIBITZ_HOSTS to the names of this site.")
if not DEBUG and SECRET_KEY in ("", DEVELOPMENT_KEY):
    raise ImproperlyConfigured(
        "With KIBITZ_DEBUG=0, set KIBITZ_SECRET_KEY to a secret of your own."
    )

# -- What the site is made of ---------------------------------------------------------------------

INSTALLED_APPS = [
    "config.apps.Config",
    "accounts",
    "jobs",
    "bots",
    "ladders",
    "tournaments",
    "config.apps.OperatorsAdmin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "config.bodies.bounded",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [PLATFORM / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["config.tags", "config.ladder_tags"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context.every_page",
            ],
        },
    },
]

# -- Database, cache and files --------------------------------------------------------------------

SQLITE: dict[str, Any] = {
    # Whoever will write says so first: a transaction that finds out late cannot be repeated.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-20000;",
}
POSTGRESQL: dict[str, Any] = {"pool": {"min_size": 1, "max_size": 16, "timeout": 10}}


def database(address: str) -> dict[str, Any]:
    about: dict[str, Any] = dict(dj_database_url.parse(address))
    is_sqlite = about["ENGINE"].endswith("sqlite3")
    about["OPTIONS"] = about.get("OPTIONS", {}) | (SQLITE if is_sqlite else POSTGRESQL)
    if is_sqlite:
        # Tests have a file, with its locks, as in life; each run its own.
        about["TEST"] = {"NAME": f"{gettempdir()}/kibitz-test-{os.getpid()}.sqlite3"}
    return about


DATABASES = {"default": database(value_of("KIBITZ_DATABASE") or f"sqlite:///{DATA}/kibitz.sqlite3")}

CACHES: dict[str, dict[str, Any]] = {
    "default": (
        {
            "BACKEND": "config.cache.ForgetfulCache",
            "LOCATION": cache_beside(BROKER),
        }
        if BROKER
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    ),
}

STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": DATA / "files", "file_permissions_mode": 0o600},
    },
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG
            # Packing takes twenty seconds: too long for a site that is just started to try it out.
            else "whitenoise.storage.CompressedManifestStaticFilesStorage"
            if PRODUCTION
            else "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
        ),
    },
}
STATIC_URL = "static/"
STATIC_ROOT = Path(value_of("KIBITZ_STATIC") or DATA / "static")
STATICFILES_DIRS = [PLATFORM / "static", ("pictures", ROOT / "docs" / "pictures")]
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ["map", "png", "webp", "woff2"]  # in vain, or for nobody
DATA_UPLOAD_MAX_MEMORY_SIZE = 32 * 2**20  # a worker's record, packed; uploads of bots are less
FILE_UPLOAD_MAX_MEMORY_SIZE = 5 * 2**20

# -- People ---------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.adapter.Adapter"
ACCOUNT_FORMS = {
    "add_email": "accounts.forms.EmailForm",
    "change_password": "accounts.forms.PasswordForm",
    "login": "accounts.forms.LogInForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
    "reset_password": "accounts.forms.ResetForm",
    "reset_password_from_key": "accounts.forms.ResetFromKeyForm",
    "signup": "accounts.forms.SignUpForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_PRESERVE_USERNAME_CASING = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Kibitz] "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
ACCOUNT_RATE_LIMITS = {  # a whole class may sit behind one address
    "login": "120/m/ip",
    "login_failed": "30/m/ip,5/5m/key",
    "reset_password": "20/m/ip,5/h/key",
    "signup": "60/m/ip",
}

EMAIL_BACKEND = value_of("KIBITZ_MAIL_BACKEND", "django.core.mail.backends.console.EmailBackend")
EMAIL_HOST = value_of("KIBITZ_MAIL_HOST", "localhost")
EMAIL_PORT = number_of("KIBITZ_MAIL_PORT", 25)
EMAIL_HOST_USER = value_of("KIBITZ_MAIL_USER")
EMAIL_HOST_PASSWORD = value_of("KIBITZ_MAIL_PASSWORD")
EMAIL_USE_TLS = switched_on("KIBITZ_MAIL_TLS", default=False)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = value_of("KIBITZ_MAIL_FROM", "kibitz@localhost")

# -- Safety in the browser ------------------------------------------------------------------------

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = int(timedelta(days=30).total_seconds()) if HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": [SELF],
        "frame-ancestors": ["'none'"],
    },
}
SILENCED_SYSTEM_CHECKS: list[str] = []

# -- The API --------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_PARSER_CLASSES": ["config.api.strict.StrictJSON"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "config.api.pagination.KeysetPages",
    "DEFAULT_THROTTLE_CLASSES": ["config.api.throttles.Requests"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "config.api.problems.answer_for",
    "URL_FORMAT_OVERRIDE": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Kibitz",
    "DESCRIPTION": "Upload bots, follow their checks, read standings, matches and replays.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "GET_LIB_DOC_EXCLUDES": "config.api.schema.without_words",
    "ENUM_NAME_OVERRIDES": {
        "BotState": "bots.models.Bot.State",
        "VersionState": "bots.models.Version.State",
        "MatchState": "jobs.models.State",
        "ComparisonState": "tournaments.models.Comparison.State",
        "GameName": "config.api.schema.GAME_NAMES",
    },
    "PREPROCESSING_HOOKS": ["config.api.schema.only_version_1"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.api.schema.with_problems",
        "config.api.schema.with_summaries",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
# Requests and the seconds in which they may come, for each person or, if unknown, each network.
API_RATES = {
    "anonymous": (120, 60),
    "person": (600, 60),
    "uploads": (20, 60),
    "exports": (10, 60),
    "joins": (10, 60),
}

# -- Quotas, each told to whoever meets it --------------------------------------------------------

QUOTAS = {
    "bots": 20,  # of one owner, retired ones not counted
    "uploads_a_day": 50,  # of one owner
    "versions": 500,  # of one bot
    "challenges_a_day": 100,  # of one person
    "challenges_at_once": 10,  # of one person, waiting or being played
    "comparisons_a_day": 20,  # of one person; only one of them runs at a time
    "comparison_games": 4000,  # of one comparison, if its answer is not clear before
    "tokens": 20,  # of one person
    "ladders": 20,  # of one person who may create them
}

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "kibitz": {"level": "INFO"},
        # Who asks for what there is not, or is not theirs, is told; the log is for what breaks.
        "django.request": {"level": "ERROR"},
    },
}
