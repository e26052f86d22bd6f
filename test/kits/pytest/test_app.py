import requests
from app import heads


def sign_in(base_url, sandbox, user, decision="approve"):
    """Does what a user does in a browser; returns the app's last page."""
    browser = requests.Session()
    login = browser.get(f"{base_url}/login", allow_redirects=False)
    return browser.get(sandbox.sign_in(login.headers["Location"], user, decision))


def test_alice_signs_in(base_url, sandbox):
    page = sign_in(base_url, sandbox, "alice")
    assert "Signed in as alice" in page.text
    flow = sandbox.flow()
    assert flow["outcome"] == "completed", flow["explanation"]


def test_bob_denies_the_request(base_url, sandbox):
    page = sign_in(base_url, sandbox, "bob", "deny")
    assert page.status_code == 403
    assert "Not signed in" in page.text


def test_the_app_survives_a_failing_token_endpoint(base_url, sandbox):
    sandbox.call("POST", "faults", match={"route": "/oauth/token"}, times=1, status=503)
    assert sign_in(base_url, sandbox, "alice").status_code == 502


def test_a_push_reaches_the_app(base_url, sandbox):
    sandbox.watch(f"{base_url}/webhook", type="dataset", name="acme/corpus")
    sandbox.trigger("repo.content", repo="acme/corpus")
    assert list(heads) == ["acme/corpus"]


def test_a_delivery_with_another_secret_is_refused(base_url, sandbox):
    headers = {"X-Webhook-Secret": "another"}
    answer = requests.post(f"{base_url}/webhook", json={}, headers=headers)
    assert answer.status_code == 403
    assert heads == {}
