# Runs the script as the runner would, and then writes a summary of its requests to the sandbox.
command=$1 script=$2
bash --noprofile --norc -eo pipefail "$script"
code=$?
node "$command" summary >>"$GITHUB_STEP_SUMMARY"
exit "$code"
