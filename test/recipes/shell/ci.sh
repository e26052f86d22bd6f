#!/bin/sh
# Runs one sandbox for several commands. For a single command, one line is enough: npx --no hub-sandbox exec -- npm test
set -eu

npx --no hub-sandbox start --ephemeral --port 0 --json >sandbox.json &
started=$!
until [ -s sandbox.json ]; do
  # If it cannot start, it has printed the reason.
  kill -0 "$started" 2>/dev/null || exit 1
  sleep 0.2
done
HUB_SANDBOX_URL=$(node -p 'JSON.parse(fs.readFileSync("sandbox.json", "utf8")).url')
export HUB_SANDBOX_URL
# On every exit, prints a summary and stops the sandbox.
trap 'npx --no hub-sandbox summary; npx --no hub-sandbox stop' EXIT

# Without "false", the script would go on, and use the real Hub, if npx cannot start the command.
eval "$(npx --no hub-sandbox env || echo false)"
npx --no hub-sandbox demo sign-in --yes
npm test
# Fails for a mistake that no test notices, such as a token in a URL.
npx --no hub-sandbox check
