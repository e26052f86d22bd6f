# Finds the command line: of the package that was named, else of the one that the project has installed.
set -euo pipefail

fail() {
  printf '::error title=hub-sandbox::%s\n' "${1//[$'\r\n']/ }"
  exit 2
}

isNew='const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'
node -e "$isNew" || fail 'Node 20.19 or newer is needed: put actions/setup-node before this step.'

folder=$(mktemp -d "$RUNNER_TEMP/hub-sandbox-XXXXXX")
if [ -n "$INPUT_PACKAGE" ]; then
  named=$INPUT_PACKAGE
  # Of the place where npm is told to install it, it would look for a file otherwise.
  if [ -e "$named" ]; then named="$(cd "$(dirname -- "$named")" && pwd)/$(basename -- "$named")"; fi
  echo '{"private":true}' >"$folder/package.json"
  npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --loglevel=error -- "$named" >/dev/null ||
    fail "npm cannot install the package $INPUT_PACKAGE."
  modules=$folder/node_modules
else
  modules=$PWD/node_modules
fi

command=$modules/hub-sandbox/dist/server/cli.cjs
if [ ! -e "$command" ]; then
  fail "There is no hub-sandbox in $modules: install it in the project before this step, or name its tarball with the input package."
fi
echo "$modules/.bin" >>"$GITHUB_PATH"
printf 'folder=%s\ncommand=%s\n' "$folder" "$command" >>"$GITHUB_OUTPUT"
