#!/usr/bin/env bash
# Runs the C++ benchmarks that `make bench` has built; further arguments go to the program (--check, --list ...).
#
#   ROWS=timers,posts     only rows whose group or name contains one of these texts; none, if they all mean
#                         rows of scripts/bench_js.sh
#   RONDO_BACKEND=epoll   measure the other backend
set -euo pipefail
cd "$(dirname "$0")/.."

program=build/release/bench/rondo_bench
[[ -x $program ]] || {
  echo "bench: $program is not built; run 'make bench'" >&2
  exit 1
}
js=build/release/bench/rondo_bench_js
if [[ -n ${ROWS:-} && -x $js ]] && ! "$program" --list --rows="$ROWS" >/dev/null 2>&1 &&
  "$js" --list --rows="$ROWS" | grep -q .; then
  exit 0
fi
exec "$program" --rows="${ROWS:-}" --report=build/bench/report.json "$@"
