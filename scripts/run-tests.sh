#!/bin/sh
# Runs jest on plain ES modules. The flags are passed as arguments so that child processes do not inherit them.
cd "$(dirname "$0")/.." || exit 4
exec node --experimental-vm-modules --disable-warning=ExperimentalWarning \
  node_modules/jest/bin/jest.js "$@"
