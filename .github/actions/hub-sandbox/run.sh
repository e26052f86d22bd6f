# Runs a script that has a sandbox for itself, and ends as the script does.
set -euo pipefail

command=$SANDBOX_COMMAND folder=$SANDBOX_FOLDER
printf '%s\n' "$INPUT_RUN" >"$folder/script.sh"
echo "artifact=$folder/artifact" >>"$GITHUB_OUTPUT"
flags=()
if [ -n "$INPUT_FAIL_ON" ]; then flags+=("--fail-on=$INPUT_FAIL_ON"); fi
while IFS= read -r flag; do flags+=("$flag"); done < <(node "$GITHUB_ACTION_PATH/flags.mjs")
# This step's own words are nothing that the script, or the sandbox, is to see.
unset INPUT_RUN INPUT_FIXTURES INPUT_PORT INPUT_FLAGS INPUT_FAIL_ON SANDBOX_COMMAND SANDBOX_FOLDER
exec node "$command" exec --artifact "$folder/artifact" "${flags[@]}" -- \
  bash "$GITHUB_ACTION_PATH/within.sh" "$command" "$folder/script.sh"
