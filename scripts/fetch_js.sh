#!/usr/bin/env bash
# Puts the npm packages of a package.json, in the versions of the package-lock.json beside it, into a folder. Says
# nothing and changes nothing when they are there already.
#
#   scripts/fetch_js.sh FOLDER [PACKAGES]
#
# PACKAGES is the folder of the package.json: `deps` if nothing else is said, whose files cmake/embed_lib.cmake takes
# into lib/.
set -euo pipefail

folder=${1:?usage: scripts/fetch_js.sh FOLDER [PACKAGES]}
name=${2:-deps}
packages=$(cd "$(dirname "$0")/../$name" && pwd)
# The folder gets its name when it is whole: where the lock file is, the packages are.
cmp -s "$packages/package-lock.json" "$folder/package-lock.json" && exit 0

command -v npm >/dev/null || {
  echo "fetch_js: npm is not installed" >&2
  exit 1
}
echo "fetch_js: installing the packages of $name/package.json"
# Under another name until it is whole: half a package must not be taken for one.
rm -rf "$folder.partial"
mkdir -p "$folder.partial"
cp "$packages/package.json" "$packages/package-lock.json" "$packages/.npmrc" "$folder.partial"
(cd "$folder.partial" && npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1) || {
  tail -n 20 "$folder.partial/npm.log" >&2
  echo "fetch_js: npm ci failed" >&2
  exit 1
}
rm -rf "$folder"
mv "$folder.partial" "$folder"
