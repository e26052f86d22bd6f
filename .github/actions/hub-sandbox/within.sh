# The script, as the runner would run it, and then a summary of what it did at the sandbox.
command=$1 script=$2
bash --noprofile --norc -eo pipefail "$script"
code=$?
node "$command" summary >>"$GITHUB_STEP_SUMMARY"
exit "$code"
