"""The cast of the site's tests, with quick passwords, an empty cache and files that go away."""

import pytest
from django.core.cache import cache

from accounts.models import User

PASSWORD = "ten-red-tricks"


@pytest.fixture(autouse=True)
def quick_and_clean(settings, tmp_path):
    """What a password is hashed with, and where files go, is no concern of these tests."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = settings.STORAGES | {
        "default": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": tmp_path / "files"},
        }
    }
    settings.WHITENOISE_AUTOREFRESH = True  # or it asks for files that were never collected
    cache.clear()


@pytest.fixture
def password():
    """Everybody's."""
    return PASSWORD


@pytest.fixture
def alice(db):
    return User.objects.create_user("alice", "alice@example.org", PASSWORD)


@pytest.fixture
def bob(db):
    return User.objects.create_user("bob", password=PASSWORD)


@pytest.fixture
def charlie(db):
    return User.objects.create_user("charlie", password=PASSWORD)


@pytest.fixture
def operator(db):
    return User.objects.create_superuser("olivia", password=PASSWORD)
