import json
import os
from urllib.parse import parse_qsl, urlsplit
from urllib.request import Request, urlopen

import pytest


class Sandbox:
    """The sandbox that `hub-sandbox exec` has started."""

    def call(self, method, path, body=None):
        headers = {"Content-Type": "application/json"}
        token = os.environ.get("HUB_SANDBOX_CONTROL_TOKEN")
        if token:
            headers["Authorization"] = f"Bearer {token}"
        url = f"{os.environ['HUB_SANDBOX_URL']}/_sandbox/api/{path}"
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(url, data, headers, method=method)) as answer:
            return json.load(answer)

    def sign_in(self, url, user, decision="approve"):
        """Answers the consent page as the user would, "deny" included; returns the URL that the browser is sent to."""
        asked = dict(parse_qsl(urlsplit(url).query))
        body = {**asked, "user": user, "decision": decision}
        return self.call("POST", "authorize", body)["redirectTo"]


@pytest.fixture
def sandbox():
    sandbox = Sandbox()
    sandbox.call("POST", "reset")
    return sandbox
