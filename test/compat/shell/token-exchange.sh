#!/bin/sh
# A token for a member of the organization, by e-mail address. Needs curl, and BASE_URL, CLIENT_ID, CLIENT_SECRET and
# EMAIL in the environment.
set -eu

curl -s -X POST "$BASE_URL/oauth/token" \
  -H "Authorization: Basic $(printf '%s' "$CLIENT_ID:$CLIENT_SECRET" | base64 | tr -d '\n')" \
  -H 'Content-Type: application/x-www-form-urlencoded' \
  -d 'grant_type=urn:ietf:params:oauth:grant-type:token-exchange' \
  -d "subject_token=$EMAIL" \
  -d 'subject_token_type=urn:service:token-type:user-email' \
  -d 'scope=openid profile'
