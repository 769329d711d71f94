#!/usr/bin/env bash
# Builds the site of `make docs`: the C++ API and the guides, with search, for reading offline. Fails when Doxygen warns, as
# of a link that leads nowhere. Needs doxygen: scripts/setup.sh docs.
set -euo pipefail

cd "$(dirname "$0")/.."
rm -rf build/docs
mkdir -p build/docs
doxygen docs/Doxyfile
# What Doxygen 1.9 misunderstands: specialisations in namespace std, and a base class that is chosen by overloads.
grep -vE '^$|Internal inconsistency: scope for class std::|potential recursive class relation' build/docs/warnings.txt >&2 && {
  echo 'make_docs: Doxygen has warnings, see above' >&2
  exit 1
}
echo "make_docs: $PWD/build/docs/index.html"
