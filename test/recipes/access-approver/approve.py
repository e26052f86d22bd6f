"""Accepts the access requests of one domain, and rejects the others with a reason."""

import sys

from huggingface_hub import HfApi

repo, domain = sys.argv[1:]
api = HfApi()

for request in api.list_pending_access_requests(repo):
    if (request.email or "").endswith(f"@{domain}"):
        api.accept_access_request(repo, request.username)
        print(f"accepted {request.username}")
    else:
        api.reject_access_request(
            repo, request.username, rejection_reason=f"Only people of {domain} get access."
        )
        print(f"rejected {request.username}")
