#!/bin/sh
# Installs optional tools where permitted: from Debian a browser for the tests of the HTML report, the tools
# of recorders, bubblewrap for --sandbox, nats-server for fleets, compilers for families in other languages, and shellcheck; through
# Go, actionlint for the workflows. A tool that cannot be installed is a note, never a failure.
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
add nats-server nats-server
add shellcheck shellcheck

install() {
  apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}

install_packages() {
  if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" -ne 0 ]; then
    echo "note: not installed, since this needs apt-get and root:$missing" >&2
    return
  fi
  echo "Installing$missing …" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null 2>&1
  # All at once, which takes apt half the time; if one cannot be installed, each by itself.
  # shellcheck disable=SC2086
  install $missing && return
  for package in $missing; do
    install "$package" || echo "note: $package could not be installed" >&2
  done
}

# One exact version; Go verifies its source against the public checksum database.
install_actionlint() {
  actionlint=$(sh scripts/find-actionlint.sh path)
  [ -x "$actionlint" ] && return
  if ! command -v go >/dev/null 2>&1; then
    echo 'note: not installed, since this needs Go: actionlint' >&2
    return
  fi
  echo 'Installing actionlint …' >&2
  GOBIN=$(dirname "$actionlint") GOFLAGS=-modcacherw \
    go install "github.com/rhysd/actionlint/cmd/actionlint@$(sh scripts/find-actionlint.sh version)" \
    >/dev/null 2>&1 || echo 'note: actionlint could not be installed' >&2
}

# Go compiles for half a minute, while packages are fetched.
install_actionlint &
[ -n "$missing" ] && install_packages
wait
if ! command -v cargo >/dev/null 2>&1; then
  echo "note: cargo is not installed, since Debian's version is too old; install it with rustup" >&2
fi
exit 0
