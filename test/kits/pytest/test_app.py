from urllib.parse import parse_qs, urlsplit

import app


def test_signs_its_users_in(sandbox):
    url, verifier = app.begin()
    came_back = sandbox.sign_in(url, "alice")
    code = parse_qs(urlsplit(came_back).query)["code"][0]
    assert app.finish(code, verifier) == "alice"
    [flow] = sandbox.call("GET", "flows")["items"]
    assert flow["outcome"] == "completed", flow["explanation"]
