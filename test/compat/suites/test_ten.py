import os
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

USERS = ["alice", "bob", "carol", "alice", "bob", "carol", "alice", "bob", "carol"]
USERS.append(os.environ.get("LAST_USER", "alice"))


@pytest.mark.parametrize("number, user", enumerate(USERS, start=1))
def test_signs_in(sandbox, base_url, number, user):
    # Tells the requests of this test from those of the others.
    requests.get(f"{os.environ['HF_ENDPOINT']}/api/models?search=test-{number}", timeout=30)
    browser = requests.Session()

    def begin():
        """Begins a sign-in and returns the URL that the app sends the browser to."""
        login = browser.get(f"{base_url}/login", allow_redirects=False, timeout=30)
        return login.headers["location"]

    decision = "deny" if number == 7 else "approve"
    back = sandbox.sign_in(begin(), user, decision)
    if number == 4 and os.environ.get("BREAK_TEST"):
        # The app then sends the code verifier of another sign-in.
        back = back.replace(state_of(back), state_of(begin()))
    page = browser.get(back, timeout=30).text
    assert ("Not signed in" if decision == "deny" else f"Signed in as {user}") in page


def state_of(url):
    return parse_qs(urlsplit(url).query)["state"][0]
