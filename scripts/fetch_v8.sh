#!/usr/bin/env bash
# Puts V8, as Debian builds it for libnode-dev, into a folder, where cmake/FindV8.cmake finds it. Says nothing
# and changes nothing when it is there already.
#
#   scripts/fetch_v8.sh FOLDER
#
# Only V8 is used of it: headers and a shared library. It is unpacked and not installed, because it cannot be
# installed beside other packages of Node; where libnode-dev is installed, that one is used.
set -euo pipefail

folder=${1:?usage: scripts/fetch_v8.sh FOLDER}
# By its library: other packages of Node have headers of V8 as well, of another version.
compgen -G '/usr/lib/*/libnode.so' >/dev/null && exit 0
[[ -e $folder/usr/include/nodejs/deps/v8/include/v8.h ]] && exit 0

die() {
  printf 'fetch_v8: %s\n' "$*" >&2
  exit 1
}

# The library is in a package of its own, whose name has a version in it.
library=$(apt-cache depends libnode-dev | sed -nE 's/.*Depends: (libnode[0-9]+)$/\1/p')
[[ -n $library ]] || die "apt knows no libnode-dev; is this Debian, and has 'apt-get update' been run?"

echo "fetch_v8: unpacking libnode-dev and $library"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && apt-get -qq download libnode-dev "$library" >download.log 2>&1) || {
  tail -n 20 "$work/download.log" >&2
  die "apt-get download failed"
}
# Under another name until it is whole: half a library must not be taken for one.
rm -rf "$folder.partial"
mkdir -p "$folder.partial"
for package in "$work"/*.deb; do dpkg-deb -x "$package" "$folder.partial"; done
rm -rf "$folder"
mv "$folder.partial" "$folder"
