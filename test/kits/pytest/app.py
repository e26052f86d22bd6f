"""Signs users in at the hub, and receives a webhook."""

import os
import secrets

import requests
from authlib.integrations.flask_client import OAuth, OAuthError
from flask import Flask, abort, redirect, request, session, url_for
from markupsafe import escape

app = Flask(__name__)
app.secret_key = os.environ.get("COOKIE_SECRET", "not for production")
# A name of its own: browsers share cookies between the ports of a host.
app.config["SESSION_COOKIE_NAME"] = "my_app"
webhook_secret = os.environ.get("WEBHOOK_SECRET", "a secret")

issuer = os.environ.get("OPENID_PROVIDER_URL", "https://huggingface.co")
oauth = OAuth(app)
oauth.register(
    "hub",
    server_metadata_url=f"{issuer}/.well-known/openid-configuration",
    client_id=os.environ["OAUTH_CLIENT_ID"],
    client_secret=os.environ.get("OAUTH_CLIENT_SECRET"),
    client_kwargs={"scope": "openid profile", "code_challenge_method": "S256"},
)

# The newest commit of each repo that the webhook has told of, by name.
heads = {}


@app.get("/")
def home():
    name = session.get("user")
    if name is None:
        return '<p>Not signed in</p><a href="/login">Sign in</a>'
    return f"<p>Signed in as {escape(name)}</p>"


@app.get("/login")
def login():
    return oauth.hub.authorize_redirect(url_for("callback", _external=True))


@app.get("/callback")
def callback():
    try:
        token = oauth.hub.authorize_access_token()
    except OAuthError as error:
        return f"Not signed in: {escape(error.description)}", 403
    except requests.RequestException:
        return "The hub does not answer. Try again.", 502
    claims = token["userinfo"]
    # A user can refuse the scope profile.
    session["user"] = claims.get("preferred_username", claims["sub"])
    return redirect("/")


@app.post("/webhook")
def webhook():
    given = request.headers.get("X-Webhook-Secret", "")
    if not secrets.compare_digest(given.encode(), webhook_secret.encode()):
        abort(403)
    payload = request.get_json(silent=True)
    if not isinstance(payload, dict) or "event" not in payload:
        abort(400)
    for updated in payload.get("updatedRefs", []):
        heads[payload["repo"]["name"]] = updated["newSha"]
    return "Thanks."


if __name__ == "__main__":
    app.run(host="localhost", port=int(os.environ.get("PORT", "8000")))
