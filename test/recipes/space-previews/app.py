import os
import secrets
from typing import Annotated

import uvicorn
from fastapi import FastAPI, Header, HTTPException
from huggingface_hub import HfApi, WebhookPayload, snapshot_download

app = FastAPI()
api = HfApi()
secret = os.environ.get("WEBHOOK_SECRET", "")


def show_preview(space: str, preview: str, num: int) -> None:
    """Copies the files of a pull request to a Space of its own, and says where it is."""
    is_new = not api.repo_exists(preview, repo_type="space")
    api.create_repo(preview, repo_type="space", space_sdk="gradio", exist_ok=True)
    files = snapshot_download(space, repo_type="space", revision=f"refs/pr/{num}")
    api.upload_folder(
        folder_path=files,
        repo_id=preview,
        repo_type="space",
        delete_patterns="*",
        commit_message=f"Show pull request {num}",
    )
    if is_new:
        comment = f"A preview runs at {api.endpoint}/spaces/{preview}"
        api.comment_discussion(space, num, comment, repo_type="space")


@app.post("/webhook")
def webhook(payload: WebhookPayload, x_webhook_secret: Annotated[str, Header()] = ""):
    if not secrets.compare_digest(x_webhook_secret.encode(), secret.encode()):
        raise HTTPException(403, "This is not the secret of the webhook.")
    discussion = payload.discussion
    if payload.repo.type != "space" or discussion is None or not discussion.isPullRequest:
        return "Nothing to do."
    space, num = payload.repo.name, discussion.num
    preview = f"{space}-pr-{num}"
    if discussion.status in ("closed", "merged"):
        api.delete_repo(preview, repo_type="space", missing_ok=True)
        return "Deleted the preview."
    if payload.event.scope == "discussion":
        show_preview(space, preview, num)
    return "Thanks."


@app.get("/")
def home():
    return "It listens at /webhook."


if __name__ == "__main__":
    uvicorn.run(app, host="localhost", port=int(os.environ.get("PORT", "8000")))
