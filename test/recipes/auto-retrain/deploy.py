"""Runs a training job now, and again whenever the dataset changes."""

import sys

from huggingface_hub import HfApi, get_token

dataset, model = sys.argv[1:]
api = HfApi()
secrets = {"HF_TOKEN": get_token()}

job = api.run_job(
    image="python:3.12",
    command=["python", "train.py"],
    env={"MODEL": model, "DATASET": dataset},
    secrets=secrets,
)
webhook = api.create_webhook(
    job_id=job.id,
    # Those of the job are not copied.
    secrets=secrets,
    watched=[{"type": "dataset", "name": dataset}],
    domains=["repo"],
)
print(f"job {job.id}, webhook {webhook.id}")
