#!/bin/sh
# Signs in with a device code (RFC 8628) and shows who it is.
set -eu
hub="${OPENID_PROVIDER_URL:-https://huggingface.co}"

# post PATH NAME=VALUE…: sends a form as the app.
post() {
  url="$hub$1"
  shift
  set -- "$@" "client_id=$OAUTH_CLIENT_ID"
  # A public app has no secret.
  if [ -n "${OAUTH_CLIENT_SECRET:-}" ]; then set -- "$@" "client_secret=$OAUTH_CLIENT_SECRET"; fi
  for field; do
    shift
    set -- "$@" --data-urlencode "$field"
  done
  curl -sS "$url" "$@"
}

# value NAME: the first member of this name in the JSON on stdin.
value() {
  grep -o '"'"$1"'":"\{0,1\}[^",}]*' | head -n 1 | sed 's/^"[^"]*":"\{0,1\}//'
}

device="$(post /oauth/device "scope=openid profile")"
code="$(printf %s "$device" | value device_code)"
if [ -z "$code" ]; then
  echo "Not signed in: $device" >&2
  exit 1
fi
echo "Open $(printf %s "$device" | value verification_uri) and enter $(printf %s "$device" | value user_code)"

interval="$(printf %s "$device" | value interval)"
# Without an interval it is 5 seconds (RFC 8628 §3.2).
interval="${interval:-5}"
while :; do
  sleep "$interval"
  answer="$(post /oauth/token "grant_type=urn:ietf:params:oauth:grant-type:device_code" "device_code=$code")"
  case "$(printf %s "$answer" | value error)" in
    authorization_pending) ;;
    slow_down) interval=$((interval + 5)) ;;
    "") break ;;
    *)
      echo "Not signed in: $(printf %s "$answer" | value error_description)" >&2
      exit 1
      ;;
  esac
done

user="$(curl -sS "$hub/oauth/userinfo" -H "Authorization: Bearer $(printf %s "$answer" | value access_token)")"
echo "Signed in as $(printf %s "$user" | value preferred_username)"
