#!/bin/sh
# Prints the install path of actionlint, the workflow linter, or its version: `path` or `version`.
set -eu
version=v1.7.12
case "${1:-path}" in
  version) echo "$version" ;;
  *) echo "$(cd "$(dirname "$0")/.." && pwd)/.assay/tools/actionlint@$version/actionlint" ;;
esac
