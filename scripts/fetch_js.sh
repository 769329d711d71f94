#!/usr/bin/env bash
# Puts the npm packages of deps/package.json, in the versions of deps/package-lock.json, into a folder, from
# where cmake/embed_lib.cmake takes the files that lib/ uses. Says nothing and changes nothing when they are
# there already.
#
#   scripts/fetch_js.sh FOLDER
set -euo pipefail

folder=${1:?usage: scripts/fetch_js.sh FOLDER}
deps=$(cd "$(dirname "$0")/../deps" && pwd)
# The folder gets its name when it is whole: where the lock file is, the packages are.
cmp -s "$deps/package-lock.json" "$folder/package-lock.json" && exit 0

command -v npm >/dev/null || {
  echo "fetch_js: npm is not installed" >&2
  exit 1
}
echo "fetch_js: installing the packages of deps/package.json"
# Under another name until it is whole: half a package must not be taken for one.
rm -rf "$folder.partial"
mkdir -p "$folder.partial"
cp "$deps/package.json" "$deps/package-lock.json" "$deps/.npmrc" "$folder.partial"
(cd "$folder.partial" && npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1) || {
  tail -n 20 "$folder.partial/npm.log" >&2
  echo "fetch_js: npm ci failed" >&2
  exit 1
}
rm -rf "$folder"
mv "$folder.partial" "$folder"
