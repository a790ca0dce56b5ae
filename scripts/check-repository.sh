#!/bin/sh
# Types, lint, format and unused code, all of them even when one fails.
set -u
cd "$(dirname "$0")/.."
failed=0
for check in 'tsc' 'eslint .' 'prettier --check --log-level warn .' 'knip'; do
  # shellcheck disable=SC2086 # name and arguments
  if node_modules/.bin/$check; then
    echo "ok      $check"
  else
    echo "FAILED  $check"
    failed=1
  fi
done
exit $failed
