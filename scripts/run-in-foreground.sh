#!/bin/sh
# Runs a command so that Ctrl-C reaches only the command.
#
# The terminal sends SIGINT to its whole foreground process group. npx and the wrapper of just that it runs
# would exit at once, and the prompt would return before the command has written its report. With job control
# (set -m) the command gets its own process group and the terminal, and its parents wait. Without a terminal,
# or in the background, the command replaces this shell.

# Fields 5 and 8 of proc(5): the process group, and the foreground group of the terminal.
{ read -r _ _ _ _ group _ _ foreground _ <"/proc/$$/stat"; } 2>/dev/null || exec "$@"
if [ "$group" != "$foreground" ] || ! [ -t 0 ] || ! [ -t 1 ] || ! [ -t 2 ]; then exec "$@"; fi

set -m
"$@"
status=$?
# Ctrl-Z stopped the command: stop its parents too, and continue the command after `fg`.
while [ "$status" -gt 128 ] && [ "$(kill -l "$status")" = TSTP ]; do
  set +m
  kill -STOP 0
  set -m
  fg >/dev/null
  status=$?
done
exit "$status"
