#!/bin/sh
# Runs jest on plain ES modules. The flags are for this one process: children must not inherit them.
cd "$(dirname "$0")/.." || exit 4
exec node --experimental-vm-modules --disable-warning=ExperimentalWarning \
  node_modules/jest/bin/jest.js "$@"
