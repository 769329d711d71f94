#!/bin/bash
# How many instructions an operation takes in one source tree, and in another:
#
#     bench/instructions/compare.sh BASE [TREE]
#
# Both are source trees with a build in build/release; TREE is this one if it is not given. Each piece of work
# is run twice under callgrind, with fewer and with more operations, and the difference counts: starting up is left
# out. Ends with exit code 1 if any of them takes more than LIMIT per cent (1) more than in BASE.
# WORKS='ticks js:next_tick_batch' chooses.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
base=$(cd "$1" && pwd)
tree=$(cd "${2:-$here/../..}" && pwd)
limit=${LIMIT:-1}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

loop_works='timers cleared_timers immediates immediate_chain ticks microtasks posts descriptor'
js_works='timeout_same timeout_spread timeout_clear immediate_batch immediate_chain next_tick_batch
          next_tick_chain microtask_batch await_chain'
works=${WORKS:-$loop_works $(printf 'js:%s ' $js_works)}

for side in base tree; do
  g++ -std=c++23 -O2 -DNDEBUG -I"${!side}/include" "$here/loop.cpp" "${!side}/build/release/librondo_loop.a" \
    $(pkg-config --libs libcares) -pthread -o "$scratch/loop_$side"
done

# count COMMAND...: the instructions of one run
count() {
  RONDO_BACKEND=epoll valgrind --tool=callgrind --callgrind-out-file=/dev/null --smc-check=all-non-file \
    "$@" 2>&1 >/dev/null | sed -n 's/.*Collected : //p'
}

# A script with another number of operations.
with_operations() {
  mkdir -p "$scratch/js"
  cp "$tree"/bench/js/scripts/*.js "$scratch/js"
  sed -i "s/^const n = 1e6;/const n = $2;/" "$scratch/js/$1.js"
}

# One thread and no chance: the same instructions each time.
v8='--single-threaded --predictable --hash-seed=1 --random-seed=1'

# cost SIDE WORK: instructions for one operation, with two decimals
cost() {
  local few many low high
  if [[ $2 == js:* ]]; then
    # Compiled code by then, and many collections of garbage in between: one more or less must not count.
    few=600000 many=1200000
    with_operations "${2#js:}" $few
    low=$(count "${!1}/build/release/rondo" $v8 "$scratch/js/${2#js:}.js")
    with_operations "${2#js:}" $many
    high=$(count "${!1}/build/release/rondo" $v8 "$scratch/js/${2#js:}.js")
  else
    few=1000 many=21000
    low=$(count "$scratch/loop_$1" "$2" $few)
    high=$(count "$scratch/loop_$1" "$2" $many)
  fi
  awk "BEGIN { printf \"%.2f\", ($high - $low) / ($many - $few) }"
}

status=0
printf '%-22s %12s %12s %9s\n' 'instructions for' base tree more
for work in $works; do
  before=$(cost base "$work")
  after=$(cost tree "$work")
  awk -v work="$work" -v a="$before" -v b="$after" -v limit="$limit" 'BEGIN {
    more = (b / a - 1) * 100
    printf "%-22s %12.2f %12.2f %8.2f%%%s\n", work, a, b, more, (more > limit ? "  too much" : "")
    exit (more > limit)
  }' || status=1
done
exit $status
