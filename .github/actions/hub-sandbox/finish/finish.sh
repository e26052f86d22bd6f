# Sums up and ends the sandbox that the action has started, if it has.
set -euo pipefail

folder=${HUB_SANDBOX_ACTION_FOLDER:-}
if [ -z "$folder" ] || [ ! -e "$folder/command" ]; then
  echo '::notice title=hub-sandbox::No sandbox was started, so there is nothing to finish.'
  exit 0
fi
command=$(cat "$folder/command")
artifact=$folder/artifact
mkdir -p "$artifact"
echo "artifact=$artifact" >>"$GITHUB_OUTPUT"

if node "$command" summary >"$artifact/summary.md" 2>"$folder/why" &&
  node "$command" summary --json >"$artifact/summary.json"; then
  code=0
  if [ -n "${INPUT_FAIL_ON:-}" ]; then
    # Annotations for the job, and the same with the fixes for its summary.
    node "$command" check --fail-on "$INPUT_FAIL_ON" --format github || code=$?
    node "$command" check --fail-on "$INPUT_FAIL_ON" --format markdown >"$artifact/checks.md" || true
    { echo && cat "$artifact/checks.md"; } >>"$artifact/summary.md"
  fi
  # What a sandbox or the desktop app opens to show all that happened here: after a program that does nothing.
  node "$command" exec --url "$HUB_SANDBOX_URL" --artifact "$artifact" --artifact-when always -- node --eval '' ||
    echo '::warning title=hub-sandbox::What happened at the sandbox could not be kept.'
  node "$command" stop || kill "$(cat "$folder/pid")"
else
  code=1
  {
    echo '### hub-sandbox'
    echo
    echo 'The sandbox did not respond at the end of the job. Its last output:'
    echo
    # Indented, so that nothing in it is markup.
    tail -n 20 "$folder/sandbox.log" "$folder/why" | sed 's/^/    /'
  } >"$artifact/summary.md"
  echo '::error title=hub-sandbox::The sandbox did not respond at the end of the job: see its last output in the summary.'
fi
cp "$folder/sandbox.log" "$artifact/"
cat "$artifact/summary.md" >>"$GITHUB_STEP_SUMMARY"
exit "$code"
