#!/bin/bash
# Records what real Node prints for the scripts of tests/node (make record). The arguments are scripts or folders;
# without any, all. RUNS and JOBS: how often each runs, and how many at once.
set -euo pipefail
cd "$(dirname "$0")/.."

node=$(command -v "${NODE:-node}") || { echo 'make record needs Node v20 (NODE=/path/to/node)' >&2; exit 1; }
version=$("$node" --version)
if [[ $version != v20.* ]]; then
  echo "make record needs Node v20; $node is $version" >&2
  exit 1
fi

# The node in the PATH may be a script that starts another one.
node=$("$node" -p process.execPath)
(($#)) || set -- tests/node
mapfile -t scripts < <(
  for path in "$@"; do find "$path" -type f \( -name '*.js' -o -name '*.mjs' -o -name '*.cjs' \); done |
    grep -E '(^|/)tests/node/[^/]+/[^/]+$' | sort -u)
if ((${#scripts[@]} == 0)); then
  echo "no scripts in: $*" >&2
  exit 1
fi
exec build/release/tests/node/node_test_runner record "$node" "${RUNS:-20}" "${JOBS:-2}" "${scripts[@]}"
