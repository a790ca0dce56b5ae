#!/bin/sh
# Installs the optional tools where that is permitted: from Debian a browser for the tests of the HTML
# report, what recorders use, bubblewrap for --sandbox, what families in other languages are built with,
# and shellcheck; through Go, actionlint for the workflows. What is missing afterwards is a note, never a
# failure.
set -u
cd "$(dirname "$0")/.." || exit 4

missing=''
add() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
add chromium chromium
add perf linux-perf
add valgrind valgrind
add hyperfine hyperfine
add bwrap bubblewrap
add g++ g++
add javac default-jdk-headless
add mvn maven
add shellcheck shellcheck

install_packages() {
  if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" -ne 0 ]; then
    echo "note: not installed, since that takes apt-get and root:$missing" >&2
    return
  fi
  echo "Installing$missing …" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null 2>&1
  for package in $missing; do
    apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1 ||
      echo "note: $package could not be installed" >&2
  done
}

# One exact version, whose source Go checks against its public record of checksums.
install_actionlint() {
  actionlint=$(sh scripts/find-actionlint.sh path)
  [ -x "$actionlint" ] && return
  if ! command -v go >/dev/null 2>&1; then
    echo 'note: not installed, since that takes Go: actionlint' >&2
    return
  fi
  echo 'Installing actionlint …' >&2
  GOBIN=$(dirname "$actionlint") GOFLAGS=-modcacherw \
    go install "github.com/rhysd/actionlint/cmd/actionlint@$(sh scripts/find-actionlint.sh version)" \
    >/dev/null 2>&1 || echo 'note: actionlint could not be installed' >&2
}

[ -n "$missing" ] && install_packages
install_actionlint
if ! command -v cargo >/dev/null 2>&1; then
  echo "note: not installed, since Debian's is too old: cargo; rustup has it" >&2
fi
exit 0
