import os

import httpx
from authlib.integrations.starlette_client import OAuth, OAuthError
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from starlette.middleware.sessions import SessionMiddleware

app = FastAPI()
# A name of its own: browsers share cookies between the ports of a host.
app.add_middleware(
    SessionMiddleware,
    secret_key=os.environ.get("COOKIE_SECRET", "not for production"),
    session_cookie="my_app",
)

issuer = os.environ.get("OPENID_PROVIDER_URL", "https://huggingface.co")
oauth = OAuth()
oauth.register(
    "hub",
    server_metadata_url=f"{issuer}/.well-known/openid-configuration",
    client_id=os.environ["OAUTH_CLIENT_ID"],
    client_secret=os.environ.get("OAUTH_CLIENT_SECRET"),
    client_kwargs={"scope": "openid profile", "code_challenge_method": "S256"},
)


@app.get("/")
async def home(request: Request):
    name = request.session.get("user")
    if name is None:
        return HTMLResponse('<p>Not signed in</p><a href="/login">Sign in</a>')
    return HTMLResponse(
        f"<p>Signed in as {name}</p>"
        '<form action="/logout" method="post"><button>Sign out</button></form>'
    )


@app.get("/login")
async def login(request: Request):
    return await oauth.hub.authorize_redirect(request, request.url_for("callback"))


@app.get("/callback")
async def callback(request: Request):
    try:
        token = await oauth.hub.authorize_access_token(request)
    except OAuthError as error:
        return PlainTextResponse(f"Not signed in: {error.description}", status_code=403)
    except httpx.HTTPError:
        return PlainTextResponse("The hub does not answer. Try again.", status_code=502)
    claims = token["userinfo"]
    # A user can refuse the scope profile.
    request.session["user"] = claims.get("preferred_username", claims["sub"])
    return RedirectResponse("/", status_code=303)


@app.post("/logout")
async def logout(request: Request):
    request.session.clear()
    return RedirectResponse("/", status_code=303)


if __name__ == "__main__":
    import uvicorn

    uvicorn.run(app, host="localhost", port=int(os.environ.get("PORT", "8000")))
