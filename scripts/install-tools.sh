#!/bin/sh
# Installs the optional tools that Debian packages, where that is permitted: a browser for the tests of
# the HTML report, and what recorders use. What is missing afterwards is a note, never a failure.
set -u

missing=''
add() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
add chromium chromium
add perf linux-perf
add valgrind valgrind
add hyperfine hyperfine
[ -z "$missing" ] && exit 0

if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" -ne 0 ]; then
  echo "note: not installed, since that takes apt-get and root:$missing" >&2
  exit 0
fi
echo "Installing$missing …" >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >/dev/null 2>&1
for package in $missing; do
  apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1 ||
    echo "note: $package could not be installed" >&2
done
exit 0
