"""Counts the words of a dataset, and publishes the counts as a model."""

import json
import os
from collections import Counter

from huggingface_hub import HfApi

model, dataset = os.environ["MODEL"], os.environ["DATASET"]
api = HfApi(token=os.environ["HF_TOKEN"])

# The event that started the job; none at the first run.
event = json.loads(os.environ.get("WEBHOOK_PAYLOAD", "{}"))
revision = event.get("repo", {}).get("headSha", "main")

path = api.hf_hub_download(dataset, "words.txt", repo_type="dataset", revision=revision)
with open(path) as words:
    counts = Counter(words.read().split())

api.create_repo(model, exist_ok=True)
api.upload_file(
    path_or_fileobj=json.dumps(counts).encode(),
    path_in_repo="counts.json",
    repo_id=model,
    commit_message=f"Train on {revision}",
)
print(f"{model} knows {len(counts)} words of {revision}")
