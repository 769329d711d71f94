#!/usr/bin/env bash
# Puts Node, Bun and Deno, the runtimes that the JavaScript benchmarks compare with, into a folder. The versions
# are those of bench/js/package.json. Says nothing and changes nothing when they are there already.
#
#   scripts/fetch_peers.sh FOLDER
set -euo pipefail

folder=${1:?usage: scripts/fetch_peers.sh FOLDER}
cd "$(dirname "$0")/.."
# The copy of the lock file is the last thing that is written: where it is, everything is.
cmp -s bench/js/package-lock.json "$folder/fetched" && exit 0

die() {
  printf 'fetch_peers: %s\n' "$*" >&2
  exit 1
}

[[ $(uname -m) == x86_64 ]] || die "the peers are fetched for x86_64 only; this is $(uname -m)"
command -v npm >/dev/null || die "npm is needed to fetch Node, Bun and Deno"

echo "fetch_peers: installing Node, Bun and Deno into $folder"
mkdir -p "$folder"
rm -f "$folder/fetched"
cp bench/js/package.json bench/js/package-lock.json bench/js/.npmrc "$folder"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund >"$log" 2>&1 || {
  tail -n 20 "$log" >&2
  die "npm ci failed (its last lines are above)"
}
cp bench/js/package-lock.json "$folder/fetched"
