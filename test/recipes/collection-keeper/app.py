import os
import secrets
from typing import Annotated

import uvicorn
from fastapi import FastAPI, Header, HTTPException
from huggingface_hub import HfApi, WebhookPayload

app = FastAPI()
api = HfApi()
secret = os.environ.get("WEBHOOK_SECRET", "")


def find_or_create(namespace: str) -> str:
    """Returns the slug of the collection of everything in the namespace."""
    return api.create_collection("Everything", namespace=namespace, exists_ok=True).slug


@app.post("/webhook")
def webhook(payload: WebhookPayload, x_webhook_secret: Annotated[str, Header()] = ""):
    if not secrets.compare_digest(x_webhook_secret.encode(), secret.encode()):
        raise HTTPException(403, "This is not the secret of the webhook.")
    if payload.event.scope != "repo" or payload.event.action != "create":
        return "Nothing to do."
    name = payload.repo.name
    slug = find_or_create(name.split("/")[0])
    api.add_collection_item(slug, name, payload.repo.type, exists_ok=True)
    print(f"{slug} has {name}")
    return "Thanks."


@app.get("/")
def home():
    return "It listens at /webhook."


if __name__ == "__main__":
    uvicorn.run(app, host="localhost", port=int(os.environ.get("PORT", "8000")))
