#!/bin/sh
# Checks types, schemas, lint, format, unused code and folder boundaries; runs all of them even when one fails.
set -u
cd "$(dirname "$0")/.." || exit 4
failed=0
for check in types schemas lint format unused boundaries; do
  if npm run --silent "$check"; then
    echo "ok      $check"
  else
    echo "FAILED  $check"
    failed=1
  fi
done
exit $failed
