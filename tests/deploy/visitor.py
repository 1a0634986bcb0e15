"""Somebody who comes to the site with a browser and a terminal: signs up, makes a token, uploads a bot."""

import json
import re
import subprocess
import time
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BOT = re.search(r"```python\n(.*?)```", README, re.DOTALL)[1]
CURL = re.search(r"^curl .*/api/v1/bots$", README, re.MULTILINE)[0]
PASSWORD = "ten-red-tricks"


class Visitor:
    """A browser without a window, at one site."""

    def __init__(self, site):
        self.site = site
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(CookieJar()), urllib.request.ProxyHandler({})
        )

    def page(self, path, **form):
        data = urllib.parse.urlencode(form).encode() if form else None
        request = urllib.request.Request(self.site + path, data, {"Referer": self.site + path})
        with self.opener.open(request, timeout=30) as answer:
            return answer.read().decode()

    def json(self, path):
        return json.loads(self.page(path))

    def submit(self, seen_at, path, **form):
        """Fills in a form that stands on a page."""
        page = self.page(seen_at)
        csrf = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
        return self.page(path, csrfmiddlewaretoken=csrf, **form)

    def sign_up(self, name):
        path = "/accounts/signup/"
        self.submit(path, path, username=name, email=f"{name}@example.org", password1=PASSWORD)

    def log_in(self, name):
        self.submit("/accounts/login/", "/accounts/login/", login=name, password=PASSWORD)

    def token(self):
        page = self.submit("/account/", "/account/tokens/", name="laptop", days="90")
        return re.search(r"\bkbz_\w+", page)[0]

    def upload_as_the_readme_says(self, folder, token):
        """The bot and the curl line of the README, to this site; what the site answers."""
        (folder / "first_bot.py").write_text(BOT)
        line = CURL.replace("http://localhost:8000", self.site)
        done = subprocess.run(
            ["sh", "-c", f"{line} --silent --show-error --fail-with-body --noproxy '*'"],
            cwd=folder,
            env={"KIBITZ_TOKEN": token, "PATH": "/usr/local/bin:/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    def rated_matches(self, bot):
        """Its finished rated matches."""
        found = self.json(f"/api/v1/matches?bot={bot}&state=finished")["results"]
        return [match for match in found if match["is_rated"]]

    def first_rated_match(self, bot, seconds):
        deadline = time.monotonic() + seconds
        while not (found := self.rated_matches(bot)):
            assert time.monotonic() < deadline, f"{bot} has played no rated match in {seconds} s"
            time.sleep(0.1)
        return found[-1]
