#!/bin/sh
# Signs in from a machine without a browser. Needs curl, and BASE_URL, CLIENT_ID and INTERVAL (seconds) in the environment.
set -eu

field() {
  sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"
}

device=$(curl -s -X POST "$BASE_URL/oauth/device" \
  -H 'Content-Type: application/x-www-form-urlencoded' \
  -d "client_id=$CLIENT_ID")
device_code=$(printf '%s' "$device" | field device_code)
verification_uri=$(printf '%s' "$device" | field verification_uri)
user_code=$(printf '%s' "$device" | field user_code)
echo "Open $verification_uri and enter $user_code" >&2

while :; do
  answer=$(curl -s -X POST "$BASE_URL/oauth/token" \
    -H 'Content-Type: application/x-www-form-urlencoded' \
    -d 'grant_type=urn:ietf:params:oauth:grant-type:device_code' \
    -d "device_code=$device_code" \
    -d "client_id=$CLIENT_ID")
  error=$(printf '%s' "$answer" | field error)
  case $error in
  authorization_pending) ;;
  slow_down) INTERVAL=$((INTERVAL + 5)) ;;
  '') break ;;
  *)
    echo "$error" >&2
    exit 1
    ;;
  esac
  sleep "$INTERVAL"
done

access_token=$(printf '%s' "$answer" | field access_token)
curl -s "$BASE_URL/api/whoami-v2" -H "Authorization: Bearer $access_token"
