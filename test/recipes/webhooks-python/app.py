import os
import secrets
from typing import Annotated

import uvicorn
from fastapi import FastAPI, Header, HTTPException
from huggingface_hub import WebhookPayload

app = FastAPI()
secret = os.environ.get("WEBHOOK_SECRET", "")

# Deliveries come again when an answer was late: what was done once is not done twice.
done = set()


@app.post("/webhook")
async def webhook(payload: WebhookPayload, x_webhook_secret: Annotated[str, Header()] = ""):
    if not secrets.compare_digest(x_webhook_secret.encode(), secret.encode()):
        raise HTTPException(403, "This is not the secret of the webhook.")
    if payload.event.scope != "repo.content":
        return "Nothing to do."
    for updated in payload.updatedRefs or []:
        head = (payload.repo.name, updated.ref, updated.newSha)
        if head in done:
            continue
        done.add(head)
        print(f"{payload.repo.type} {payload.repo.name}: {updated.ref} is now at {updated.newSha}")
    return "Thanks."


@app.get("/")
async def home():
    return "It listens at /webhook."


if __name__ == "__main__":
    uvicorn.run(app, host="localhost", port=int(os.environ.get("PORT", "8000")))
