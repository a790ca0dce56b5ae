#!/bin/sh
# Installs the packages of the lock file: those for measuring, or with --development also those for tests and
# checks. Does nothing when they are already installed for this lock file.
set -eu
cd "$(dirname "$0")/.."

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  echo 'error: Assay needs Node 20.19 or newer and npm, and one of them is not on the PATH' >&2
  exit 2
fi
version=$(node --version)
IFS=. read -r major minor _ <<VERSION
${version#v}
VERSION
if [ "$major" -lt 20 ] || { [ "$major" -eq 20 ] && [ "$minor" -lt 19 ]; }; then
  echo "error: Assay needs Node 20.19 or newer; this is $version" >&2
  exit 2
fi

exec node scripts/set-up.js "$@"
