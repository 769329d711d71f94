#!/usr/bin/env bash
# Runs the benchmarks that `make bench` has built; further arguments go to the program (--check, --list ...).
#
#   ROWS=timers,posts     only rows whose group or name contains one of these texts
#   RONDO_BACKEND=epoll   measure the other backend
set -euo pipefail
cd "$(dirname "$0")/.."

program=build/release/bench/rondo_bench
[[ -x $program ]] || {
  echo "bench: $program is not built; run 'make bench'" >&2
  exit 1
}
exec "$program" --rows="${ROWS:-}" --report=build/bench/report.json "$@"
