import os
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

import pytest

import app

USERS = ["alice", "bob", "carol", "alice", "bob", "carol", "alice", "bob", "carol"]
USERS.append(os.environ.get("LAST_USER", "alice"))


@pytest.mark.parametrize("number, user", enumerate(USERS, start=1))
def test_signs_in(sandbox, number, user):
    # Tells the requests of this test from those of the others.
    urlopen(f"{os.environ['HF_ENDPOINT']}/api/models?search=test-{number}").close()
    url, verifier = app.begin()
    decision = "deny" if number == 7 else "approve"
    told = parse_qs(urlsplit(sandbox.sign_in(url, user, decision)).query)
    if decision == "deny":
        assert told["error"] == ["access_denied"]
        return
    if number == 4 and os.environ.get("BREAK_TEST"):
        verifier = verifier[::-1]
    assert app.finish(told["code"][0], verifier) == user
