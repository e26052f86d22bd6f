#!/usr/bin/env bash
# Runs an image as its users do, and fails where they would be disappointed: .github/container/try.sh IMAGE
set -euo pipefail
image=$1

container=$(docker run --detach --read-only --cap-drop ALL --security-opt no-new-privileges \
  --publish 127.0.0.1:7420:7420 "$image")
trap 'docker logs "$container"; docker rm --force "$container" >/dev/null' EXIT

health() { docker inspect --format '{{.State.Health.Status}}' "$container"; }
for _ in $(seq 60); do
  if [ "$(health)" = healthy ]; then break; fi
  sleep 0.5
done
test "$(health)" = healthy

issuer=$(curl --fail --silent --show-error http://localhost:7420/.well-known/openid-configuration | jq --raw-output .issuer)
test "$issuer" = http://localhost:7420
status=$(curl --silent --output /dev/null --write-out '%{http_code}' http://localhost:7420/_sandbox/api/overview)
test "$status" = 401
test "$(docker exec "$container" id --user)" = 1000

docker stop "$container" >/dev/null
test "$(docker inspect --format '{{.State.ExitCode}}' "$container")" = 0
