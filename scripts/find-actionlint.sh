#!/bin/sh
# Says where the linter of the workflows belongs, and in which version: `path` or `version`.
set -eu
version=v1.7.12
case "${1:-path}" in
  version) echo "$version" ;;
  *) echo "$(cd "$(dirname "$0")/.." && pwd)/.assay/tools/actionlint@$version/actionlint" ;;
esac
