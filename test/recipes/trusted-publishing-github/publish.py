"""Publishes the folder model. The CI job proves its identity, so there is no token to store."""

import os

from huggingface_hub import HfApi

# The repo that the token of the job is for.
resource = os.environ["HF_OIDC_RESOURCE"]
commit = HfApi().upload_folder(repo_id=resource, folder_path="model", commit_message="Publish from CI")
print(f"Published to {resource}: {commit.oid}")
