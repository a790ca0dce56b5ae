#!/bin/sh
# Runs jest on plain ES modules.
cd "$(dirname "$0")/.." || exit 4
exec node node_modules/jest/bin/jest.js "$@"
