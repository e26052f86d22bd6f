"""A Space with the sign-in of huggingface_hub, as its documentation shows it."""

import os

import uvicorn
from fastapi import FastAPI, Request
from huggingface_hub import attach_huggingface_oauth, parse_huggingface_oauth

app = FastAPI()
attach_huggingface_oauth(app)


@app.get("/")
def home(request: Request):
    oauth_info = parse_huggingface_oauth(request)
    if oauth_info is None:
        return {"msg": "Not logged in!"}
    return {"msg": f"Signed in as {oauth_info.user_info.preferred_username}"}


uvicorn.run(app, host="localhost", port=int(os.environ["PORT"]))
