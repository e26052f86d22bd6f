import os
import threading
from urllib.parse import parse_qsl, urlsplit

import pytest
import requests
from werkzeug.serving import make_server

from app import app, heads, webhook_secret


class Sandbox:
    """The sandbox that `hub-sandbox exec` has started."""

    def call(self, method, path, **body):
        token = os.environ.get("HUB_SANDBOX_CONTROL_TOKEN")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        url = f"{os.environ['HUB_SANDBOX_URL']}/_sandbox/api/{path}"
        answer = requests.request(method, url, json=body or None, headers=headers, timeout=30)
        assert answer.ok, answer.text
        return answer.json()

    def sign_in(self, url, user, decision="approve"):
        """Decides on the consent page as a user would; returns the URL that the browser is sent to."""
        asked = dict(parse_qsl(urlsplit(url).query))
        return self.call("POST", "authorize", **asked, user=user, decision=decision)["redirectTo"]

    def flow(self):
        """The only sign-in of a test, whose `explanation` says why it was refused."""
        [flow] = self.call("GET", "flows")["items"]
        return flow

    def watch(self, url, **watched):
        """Creates a webhook of alice for the events of a user, an organization or a repo."""
        hook = {"url": url, "secret": webhook_secret, "watched": [watched]}
        return self.call("POST", "webhooks", user="alice", **hook)

    def trigger(self, event, **options):
        """Causes an event, and waits until it is delivered."""
        caused = self.call("POST", "events", event=event, **options)
        self.call("GET", "idle")
        return caused


@pytest.fixture
def sandbox():
    sandbox = Sandbox()
    sandbox.call("POST", "reset")
    heads.clear()
    return sandbox


@pytest.fixture(scope="session")
def base_url():
    """URL of the app, which listens at a free port."""
    server = make_server("localhost", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
