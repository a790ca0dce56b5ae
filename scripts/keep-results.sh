#!/bin/sh
# Adds records and reports to the branch that keeps the results of a repository, and pushes it. Files are named after
# their content or their run, so nothing is ever changed or removed, and whoever pushes later adds to what is there.
#
#     sh scripts/keep-results.sh NEW RESULTS REMOTE BRANCH
#
# NEW has the files in store/ and reports/; RESULTS becomes a checkout of the branch, with them.
set -eu
new=$1
results=$2
remote=$3
ref=refs/heads/$4

fetch() {
  status=0
  git -C "$results" ls-remote --exit-code "$remote" "$ref" >/dev/null || status=$?
  case $status in
    0) git -C "$results" fetch --quiet --depth 1 "$remote" "$ref" ;;
    # There is no such branch yet.
    2) return ;;
    *) exit "$status" ;;
  esac
  git -C "$results" checkout --quiet --force --detach FETCH_HEAD
}

# Copies the files of a folder whose names are of this form, and that are not there yet.
add() {
  mkdir -p "$results/$1"
  [ -d "$new/$1" ] || return 0
  find "$new/$1" -maxdepth 1 -type f | grep -E "/$2\$" | while read -r file; do
    [ -e "$results/$1/${file##*/}" ] || cp "$file" "$results/$1/"
  done
}

git init --quiet "$results"
for _ in 1 2 3 4 5; do
  fetch
  add store '[0-9a-f]{64}\.json'
  add reports '[A-Za-z0-9_][A-Za-z0-9_.:+@-]*\.html'
  git -C "$results" add --all
  if git -C "$results" diff --cached --quiet; then exit 0; fi
  git -C "$results" -c user.name='github-actions[bot]' \
    -c user.email='41898282+github-actions[bot]@users.noreply.github.com' \
    commit --quiet --message 'results'
  # Refused if somebody else has pushed since.
  if git -C "$results" push --quiet "$remote" "HEAD:$ref"; then exit 0; fi
done
echo "error: the results could not be pushed to '$4'; the artifact of this run still has them" >&2
exit 1
