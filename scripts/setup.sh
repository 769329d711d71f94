#!/usr/bin/env bash
# Installs the Debian packages we need; says nothing and changes nothing when they are all there.
#
#   scripts/setup.sh run       what `make run` needs
#   scripts/setup.sh [build]   the above, and what `make test` and `make bench` need
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
  node-llhttp       # the sources of llhttp: rondo::http
  zlib1g-dev        # compresses the messages of WebSockets: rondo::http
