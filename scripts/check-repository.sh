#!/bin/sh
# Checks types, schemas, lint, format, unused code and folder boundaries, two at a time; runs all of them even when one
# fails.
cd "$(dirname "$0")/.." || exit 4
# The output of a check comes in one piece, when it ends.
printf '%s\n' lint types format schemas unused boundaries | xargs -P 2 -n 1 sh -c '
  output=$(npm run --silent "$1" 2>&1) && result="ok     " || result="FAILED "
  printf "%s\n" "${output:+$output
}$result $1"
  [ "$result" = "ok     " ]
' check
