#!/bin/sh
# Types, lint, format and unused code, all of them even when one fails.
set -u
cd "$(dirname "$0")/.." || exit 4
failed=0
for check in types lint format unused; do
  if npm run --silent "$check"; then
    echo "ok      $check"
  else
    echo "FAILED  $check"
    failed=1
  fi
done
exit $failed
