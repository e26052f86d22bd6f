import os

import requests
from authlib.integrations.flask_client import OAuth, OAuthError
from flask import Flask, redirect, session, url_for
from markupsafe import escape

app = Flask(__name__)
app.secret_key = os.environ.get("COOKIE_SECRET", "not for production")
# A name of its own: browsers share cookies between the ports of a host.
app.config["SESSION_COOKIE_NAME"] = "my_app"

issuer = os.environ.get("OPENID_PROVIDER_URL", "https://huggingface.co")
oauth = OAuth(app)
oauth.register(
    "hub",
    server_metadata_url=f"{issuer}/.well-known/openid-configuration",
    client_id=os.environ["OAUTH_CLIENT_ID"],
    client_secret=os.environ.get("OAUTH_CLIENT_SECRET"),
    client_kwargs={"scope": "openid profile", "code_challenge_method": "S256"},
)


@app.get("/")
def home():
    name = session.get("user")
    if name is None:
        return '<p>Not signed in</p><a href="/login">Sign in</a>'
    return (
        f"<p>Signed in as {escape(name)}</p>"
        '<form action="/logout" method="post"><button>Sign out</button></form>'
    )


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


@app.post("/logout")
def logout():
    session.clear()
    return redirect("/")


if __name__ == "__main__":
    app.run(host="localhost", port=int(os.environ.get("PORT", "8000")))
