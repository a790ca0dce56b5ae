#!/bin/sh
# Runs a command so that Ctrl-C reaches it alone.
#
# The terminal sends SIGINT to its whole foreground process group. The wrapper of just that npx runs
# dies of it at once, and npx with it: the prompt is back before the command has written its report.
# With job control (set -m) the command gets a process group of its own and the terminal, and all that
# started it waits. Without a terminal, or in the background, the command simply replaces this shell.

# Fields 5 and 8 of proc(5): the process group, and the one that has the terminal.
{ read -r _ _ _ _ group _ _ foreground _ <"/proc/$$/stat"; } 2>/dev/null || exec "$@"
if [ "$group" != "$foreground" ] || ! [ -t 0 ] || ! [ -t 1 ] || ! [ -t 2 ]; then exec "$@"; fi

set -m
"$@"
status=$?
# Ctrl-Z has stopped the command: stop what started it too, and go on with it after `fg`.
while [ "$status" -gt 128 ] && [ "$(kill -l "$status")" = TSTP ]; do
  set +m
  kill -STOP 0
  set -m
  fg >/dev/null
  status=$?
done
exit "$status"
