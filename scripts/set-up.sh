#!/bin/sh
# Installs the packages of the lock file: those that measuring needs, or with --development those for
# tests and checks too. Does nothing when they are there for this very lock file.
set -eu
cd "$(dirname "$0")/.."

kind=measuring
[ "${1:-}" = --development ] && kind=development

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  echo 'error: Assay needs Node 20.19 or newer with npm, and one of them is not on the PATH' >&2
  exit 2
fi
if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number);
              process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'; then
  echo "error: Assay needs Node 20.19 or newer; this is $(node --version)" >&2
  exit 2
fi

# What development needs includes what measuring needs.
for have in development "$kind"; do
  cmp -s package-lock.json "node_modules/.assay-$have-lock" && exit 0
done

echo "Installing the packages for $kind, once …" >&2
flags='--ignore-scripts --no-audit --no-fund --loglevel=error'
[ "$kind" = measuring ] && flags="$flags --omit=dev"
# shellcheck disable=SC2086 # the flags are words
npm ci $flags >&2
cp package-lock.json "node_modules/.assay-$kind-lock"
