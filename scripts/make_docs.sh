#!/usr/bin/env bash
# Builds the site of `make docs`: the C++ API and the guides, with search, for reading offline. Fails for a link
# that leads nowhere. Needs doxygen: scripts/setup.sh docs.
set -euo pipefail

cd "$(dirname "$0")/.."
rm -rf build/docs
mkdir -p build/docs
doxygen docs/Doxyfile
# Warnings of the guides, and links that lead nowhere. Of templates Doxygen 1.9 misunderstands some; they do not count.
grep -E '\.md:[0-9]+: warning|unable to resolve|could not be resolved|is ambiguous' build/docs/warnings.txt >&2 && {
  echo 'make_docs: Doxygen has warnings, see above' >&2
  exit 1
}
echo "make_docs: $PWD/build/docs/index.html"
