#!/usr/bin/env bash
# Runs the JavaScript benchmarks that `make bench` has built, against Node, Bun and Deno, which it fetches;
# further arguments go to the program (--check, --rounds, --list ...).
#
#   ROWS=nextTick,emit    only rows whose name contains one of these texts
#   RONDO=FILE            measure this program instead of build/rondo
#   RONDO_BACKEND=epoll   measure the other backend
set -euo pipefail
cd "$(dirname "$0")/.."

program=build/release/bench/rondo_bench_js
rondo=${RONDO:-build/rondo}
for file in "$program" "$rondo"; do
  [[ -x $file ]] || {
    echo "bench: $file is not built; run 'make bench'" >&2
    exit 1
  }
done
scripts/fetch_peers.sh build/peers
# express and fastify, which some rows serve with.
scripts/fetch_js.sh build/packages tests/packages
exec "$program" --rondo="$rondo" --peers=build/peers --scripts=bench/js/scripts --packages=build/packages \
  --load=build/release/bench/rondo_bench_load \
  --rows="${ROWS:-}" --report=build/bench/report_js.json "$@"
