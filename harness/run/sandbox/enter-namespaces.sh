#!/bin/sh
# Makes a sandbox out of the fresh namespaces that unshare has made, and runs a command in it:
#   enter-namespaces.sh [hide DIRECTORY | show PATH | write FILE]… -- COMMAND…
# The whole file system becomes read-only, hidden directories are empty, shown paths lie in them all
# the same, and files to be written can be. What fails ends it: half a sandbox is none.
set -eu

outer_path=$PATH
# First where it stays when home directories are hidden.
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH
setpriv=$(command -v setpriv)
# Where the root to be is put together: a directory that every Linux has and nobody is sent to.
root=/sys

# Makes one mount point ro or rw and keeps its other flags, which may be locked:
#   set_mode ro POINT FLAGS, the last two as mountinfo writes them
set_mode() {
  mount -o "remount,bind,$1${3#r[ow]}" "$(printf %b "$2")"
}

# Puts a path of the outer file system into the new one.
bring() {
  if [ -d "$1" ]; then
    mkdir -p "$root$1"
  else
    mkdir -p "$(dirname "$root$1")"
    [ -e "$root$1" ] || : >"$root$1"
  fi
  mount --rbind "$1" "$root$1"
}

# Whatever is brought from here later is read-only then, with all that is mounted in it.
awk '$6 !~ /^ro/ { print $5, $6 }' /proc/self/mountinfo | while read -r point flags; do
  [ ! -e "$(printf %b "$point")" ] || set_mode ro "$point" "$flags"
done
mount --rbind / "$root"

mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  [ ! -e "/dev/$device" ] || bring "/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
mkdir "$root/dev/shm"

while [ "$1" != -- ]; do
  case $1 in
    hide)
      # One may lie in another one, which is empty by now.
      [ -d "$root$2" ] || mkdir -p "$root$2"
      mount -t tmpfs -o mode=755 tmpfs "$root$2"
      ;;
    show) bring "$2" ;;
    write)
      bring "$2"
      # The mount made last is the last that is listed.
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

# Programs may talk to themselves; without ip they cannot, and those that do not need not know.
ip link set lo up 2>/dev/null || true

cd "$root"
pivot_root . .
umount -l .
cd /
PATH=$outer_path
# No exec: the first process of a namespace is deaf to signals, which a worker must not be.
"$setpriv" --inh-caps=-all --ambient-caps=-all --bounding-set=-all --no-new-privs "$@"
