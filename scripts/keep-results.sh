#!/bin/sh
# Adds records and reports to the branch that keeps the results of a repository, and pushes it. Files are named after
# their content or their run, so nothing is ever changed or removed, and whoever pushes later adds to what is there.
#
#     sh scripts/keep-results.sh FOLDER NEW RESULTS REMOTE BRANCH
#
# FOLDER is store or reports, and nothing else of NEW is added: whoever measures makes no pages. RESULTS becomes a
# checkout of the branch, with the files.
set -eu
folder=$1
new=$2
results=$3
remote=$4
branch=$5
ref=refs/heads/$branch

case $folder in
  store) name='[0-9a-f]{64}\.json' ;;
  reports) name='[A-Za-z0-9_][A-Za-z0-9_.:+@-]*\.html' ;;
  *) echo "error: '$folder' is neither store nor reports" >&2; exit 2 ;;
esac

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

# Copies the files of the folder whose names are of its form, and that are not there yet.
add() {
  mkdir -p "$results/$folder"
  [ -d "$new/$folder" ] || return 0
  find "$new/$folder" -maxdepth 1 -type f | grep -E "/$name\$" | while read -r file; do
    [ -e "$results/$folder/${file##*/}" ] || cp "$file" "$results/$folder/"
  done
}

git init --quiet "$results"
for _ in 1 2 3 4 5; do
  fetch
  add
  git -C "$results" add --all
  if git -C "$results" diff --cached --quiet; then exit 0; fi
  git -C "$results" -c user.name='github-actions[bot]' \
    -c user.email='41898282+github-actions[bot]@users.noreply.github.com' \
    commit --quiet --message 'results'
  # Refused if somebody else has pushed since.
  if git -C "$results" push --quiet "$remote" "HEAD:$ref"; then exit 0; fi
done
echo "error: the results could not be pushed to '$branch'; the artifact of this run still has them" >&2
exit 1
