#!/bin/sh
# Builds a sandbox in the namespaces that unshare has created, and runs a command in it:
#   enter-namespaces.sh [hide DIRECTORY | show PATH | write FILE]… -- COMMAND…
# The file system becomes read-only except for the files to write, and hidden directories are empty
# except for the shown paths. Any error is fatal: a partial sandbox does not isolate.
set -eu

outer_path=$PATH
# The system's directories first, because home directories are hidden later.
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH
setpriv=$(command -v setpriv)
# Where the new root is built: a directory that every Linux has and that no worker needs.
root=/sys

# Makes a mount point ro or rw and keeps its other flags, which may be locked:
#   set_mode ro POINT FLAGS, the last two as mountinfo writes them
set_mode() {
  mount -o "remount,bind,$1${3#r[ow]}" "$(printf %b "$2")"
}

# Binds a path of the outer file system into the new one.
bind_path() {
  if [ -d "$1" ]; then
    mkdir -p "$root$1"
  else
    mkdir -p "$(dirname "$root$1")"
    [ -e "$root$1" ] || : >"$root$1"
  fi
  mount --rbind "$1" "$root$1"
}

# Makes all mounts read-only, so that paths bound later are read-only with everything mounted in them.
awk '$6 !~ /^ro/ { print $5, $6 }' /proc/self/mountinfo | while read -r point flags; do
  [ ! -e "$(printf %b "$point")" ] || set_mode ro "$point" "$flags"
done
mount --rbind / "$root"

mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  [ ! -e "/dev/$device" ] || bind_path "/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
mkdir "$root/dev/shm"

while [ "$1" != -- ]; do
  case $1 in
    hide)
      # It may be inside of another hidden directory, which is empty by now.
      [ -d "$root$2" ] || mkdir -p "$root$2"
      mount -t tmpfs -o mode=755 tmpfs "$root$2"
      ;;
    show) bind_path "$2" ;;
    write)
      bind_path "$2"
      # The latest mount is listed last.
      awk 'END { print $5, $6 }' /proc/self/mountinfo | {
        read -r point flags
        set_mode rw "$point" "$flags"
      }
      ;;
    *) echo "error: no instruction '$1'" >&2 && exit 2 ;;
  esac
  shift 2
done
shift

# Some programs connect to themselves through the loopback interface; without ip they cannot.
ip link set lo up 2>/dev/null || true

cd "$root"
pivot_root . .
umount -l .
cd /
PATH=$outer_path
# No exec: the first process of a namespace ignores signals, which a worker must not.
"$setpriv" --inh-caps=-all --ambient-caps=-all --bounding-set=-all --no-new-privs "$@"
