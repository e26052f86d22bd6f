import os
import secrets
from typing import Annotated

import uvicorn
from fastapi import BackgroundTasks, FastAPI, Header, HTTPException
from huggingface_hub import CommitOperationAdd, HfApi, ModelCard, WebhookPayload

app = FastAPI()
api = HfApi()
secret = os.environ.get("WEBHOOK_SECRET", "")
title = "Add the tag `text-classification`"


def suggest_tag(repo: str) -> None:
    """Opens a pull request unless the model has a task, or one is open already."""
    card = ModelCard.load(repo)
    if card.data.pipeline_tag is not None:
        return
    if any(it.title == title and it.status in ("open", "draft") for it in api.get_repo_discussions(repo)):
        return
    card.data.pipeline_tag = "text-classification"
    commit = api.create_commit(
        repo,
        operations=[CommitOperationAdd("README.md", str(card).encode())],
        commit_message=title,
        commit_description="Models with a task are found more easily.",
        create_pr=True,
    )
    print(f"{repo}: opened {commit.pr_url}")


@app.post("/webhook")
async def webhook(
    payload: WebhookPayload, tasks: BackgroundTasks, x_webhook_secret: Annotated[str, Header()] = ""
):
    if not secrets.compare_digest(x_webhook_secret.encode(), secret.encode()):
        raise HTTPException(403, "This is not the secret of the webhook.")
    changes_main = any(it.ref == "refs/heads/main" for it in payload.updatedRefs or [])
    if payload.repo.type != "model" or not changes_main:
        return "Nothing to do."
    tasks.add_task(suggest_tag, payload.repo.name)
    return "Thanks."


@app.get("/")
async def home():
    return "It listens at /webhook."


if __name__ == "__main__":
    uvicorn.run(app, host="localhost", port=int(os.environ.get("PORT", "8000")))
