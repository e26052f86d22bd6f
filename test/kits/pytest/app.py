"""Signs users in at the hub."""

import base64
import hashlib
import json
import os
import secrets
from urllib.parse import urlencode
from urllib.request import Request, urlopen

HUB = os.environ["OPENID_PROVIDER_URL"]
CLIENT_ID = os.environ["OAUTH_CLIENT_ID"]
CLIENT_SECRET = os.environ["OAUTH_CLIENT_SECRET"]
REDIRECT_URI = "http://localhost:8000/callback"


def begin():
    """Where to send the browser, and what to keep until it comes back."""
    verifier = secrets.token_urlsafe(32)
    digest = hashlib.sha256(verifier.encode()).digest()
    query = urlencode(
        {
            "response_type": "code",
            "client_id": CLIENT_ID,
            "redirect_uri": REDIRECT_URI,
            "scope": "openid profile",
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
    )
    return f"{HUB}/oauth/authorize?{query}", verifier


def finish(code, verifier):
    """The name of the user who came back with a code."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": REDIRECT_URI,
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
        "code_verifier": verifier,
    }
    with urlopen(f"{HUB}/oauth/token", urlencode(form).encode()) as answer:
        token = json.load(answer)["access_token"]
    asked = Request(f"{HUB}/oauth/userinfo", headers={"Authorization": f"Bearer {token}"})
    with urlopen(asked) as answer:
        return json.load(answer)["preferred_username"]
