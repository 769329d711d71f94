#!/usr/bin/env bash
# Installs the Debian packages we need; says nothing and changes nothing when they are all there.
#
#   scripts/setup.sh run       what `make run` needs
#   scripts/setup.sh [build]   the above, and what `make test` and `make bench` need
#   scripts/setup.sh docs      what `make docs` needs
#   scripts/setup.sh lint      the above, and what `make format` and `make lint` need
set -euo pipefail

# One package per line, with the reason for it.
packages_run='
  build-essential   # g++ (with the sanitizer runtimes), libc headers, make
  cmake             # configures the build (CMakePresets.json)
  ninja-build       # runs it
  libc-ares-dev     # asks name servers: rondo::dns
  libsqlite3-dev    # the database of node:sqlite, linked statically
  pkg-config        # finds c-ares, and checks the rondo.pc that we install
'
packages_build='
  libssl-dev        # rondo::tls
  openssl           # makes certificates for its tests, and is their other end
  curl              # another
  node-llhttp       # the sources of llhttp: rondo::http
  zlib1g-dev        # compresses the messages of WebSockets: rondo::http
  libgtest-dev      # GoogleTest: tests/core, tests/io
  libgmock-dev      # its matchers
  chromium          # opens our pages: tests/browser
  libuv1-dev        # a contender of the benchmarks
  libasio-dev       # another
  wrk               # the load of their rows of servers, and a peer of tests/packages
  nginx-light       # another peer: a proxy, and a server of files
  nghttp2-client    # nghttp and h2load: two more
  postgresql        # the databases of tests/packages, which starts servers of its own
  redis-server      # another
  mariadb-server-core  # another, without a service
  mariadb-client-core  # my_print_defaults, which mariadb-install-db needs
  libcurl4-openssl-dev  # what some examples are about
  libglib2.0-dev    # another
  libpq-dev         # another
  qtbase5-dev       # another
  clang-19          # compiles the public headers as a second compiler: tests/options
'
# Version 19, because 14, the default of Debian 12, cannot read <expected> of g++ 12; and a formatter whose
# version differs from machine to machine is useless. The Makefile (LLVM) names the same number.
packages_docs='
  doxygen           # the site of the C++ API and the guides
'
packages_lint='
  clang-format-19   # layout
  clang-tidy-19     # static checks, and run-clang-tidy
'

die() {
  printf 'setup: %s\n' "$*" >&2
  exit 1
}

case "${1:-build}" in
  run) list=$packages_run ;;
  build) list=$packages_run$packages_build ;;
  docs) list=$packages_docs ;;
  lint) list=$packages_run$packages_build$packages_lint ;;
  *) die "unknown set '$1' (run, build, docs or lint)" ;;
esac
read -ra wanted -d '' < <(sed 's/#.*//' <<<"$list") || true
# It fetches the packages of deps/. Where Node came from elsewhere, npm came with it, and Debian's would not install.
command -v npm >/dev/null || wanted+=(npm)

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
  die "this script knows Debian only; install the equivalents of: ${wanted[*]}"

# dpkg-query fails when a name is unknown to it; such a package is missing like any other.
installed=" $(dpkg-query -W -f '${Package}:${db:Status-Status} ' "${wanted[@]}" 2>/dev/null || true)"
missing=()
for package in "${wanted[@]}"; do
  [[ $installed == *" $package:installed "* ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null ||
    die "missing: ${missing[*]}. Neither root nor sudo here: install them, or run this as root"
  as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -o DPkg::Lock::Timeout=120 "$@" >"$log" 2>&1 </dev/null || {
    tail -n 20 "$log" >&2
    die "apt-get $1 failed (its last lines are above); wanted: ${missing[*]}"
  }
}

echo "setup: installing ${missing[*]}"
apt update
apt install --yes --no-install-recommends "${missing[@]}"
