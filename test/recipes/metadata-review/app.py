import os

import gradio as gr
from fastapi import BackgroundTasks
from huggingface_hub import HfApi, RepoCard, WebhookPayload, WebhooksServer

api = HfApi()
wanted = ("license", "language")
title = "Metadata is missing"

with gr.Blocks() as ui:
    gr.Markdown("It listens at /webhooks/review.")

app = WebhooksServer(ui=ui, webhook_secret=os.environ.get("WEBHOOK_SECRET"))


def review(repo: str, repo_type: str) -> None:
    """Opens a discussion that names what is missing, unless one is open."""
    card = RepoCard.load(repo, repo_type=repo_type, ignore_metadata_errors=True)
    missing = [name for name in wanted if card.data.get(name) is None]
    opened = api.get_repo_discussions(repo, repo_type=repo_type, discussion_status="open")
    if not missing or any(it.title == title for it in opened):
        return
    lines = "\n".join(f"- `{name}`" for name in missing)
    api.create_discussion(repo, title, repo_type=repo_type, description=f"Please add:\n\n{lines}")


@app.add_webhook("/review")
async def on_change(payload: WebhookPayload, tasks: BackgroundTasks):
    if payload.event.scope.startswith("repo.content") and payload.repo.type != "space":
        tasks.add_task(review, payload.repo.name, payload.repo.type)
    return {"done": True}


app.launch(server_port=int(os.environ.get("PORT", "7860")), prevent_thread_lock=False)
