#!/usr/bin/env bash
# Tries the two packages of `make package` on a machine that has nothing: in a bare Debian 12 (debootstrap, minbase) each runs
# the tour, and tests/consumer is built and run on each, with Debian's compiler and without our sources.
#
#   scripts/try_package.sh
#
# Needs root and debootstrap.
set -euo pipefail

die() {
  printf 'try_package: %s\n' "$*" >&2
  exit 1
}

if [[ ${1-} == --inside ]]; then
  export DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
  # quietly COMMAND...: its output only if it fails
  quietly() {
    "$@" >/tmp/output 2>&1 || { tail -n 20 /tmp/output; die "failed: $*"; }
  }
  install_packages() {
    quietly apt-get -qq install --yes --no-install-recommends "$@"
  }
  # build_consumer PREFIX: a foreign project on the copy in PREFIX
  build_consumer() {
    rm -rf /tmp/consumer
    quietly cmake -S /srv/consumer -B /tmp/consumer -G Ninja -D CMAKE_PREFIX_PATH="$1"
    quietly cmake --build /tmp/consumer
    for program in consumer shared_consumer lens_consumer shared_lens_consumer embedding_consumer; do
      [[ $(/tmp/consumer/$program) == 'the theme returns' ]] || { echo "$program failed"; exit 1; }
    done
    echo "try_package: the consumer project works on $1"
  }
  echo 'try_package: installing the .deb'
  apt-get -qq update >/dev/null
  install_packages /srv/rondo.deb
  rondo /usr/share/doc/rondo/examples/js/tour.js >/tmp/tour
  [[ -s /tmp/tour ]]
  grep -q 'OpenSSL' /usr/share/doc/rondo/copyright
  echo 'try_package: the tour runs'
  install_packages g++ cmake ninja-build pkg-config libc-ares-dev libsqlite3-dev libssl-dev zlib1g-dev
  build_consumer /usr
  quietly apt-get -qq purge --yes rondo
  ! command -v rondo >/dev/null
  echo 'try_package: unpacking the .tar.gz'
  mkdir -p '/opt/some where'
  tar -xzf /srv/rondo.tar.gz -C '/opt/some where' --strip-components=1
  '/opt/some where/bin/rondo' '/opt/some where/share/doc/rondo/examples/js/tour.js' >/tmp/tour
  [[ -s /tmp/tour ]]
  build_consumer '/opt/some where'
  exit
fi

((EUID == 0)) || die "needs root, for debootstrap and chroot"
command -v debootstrap >/dev/null || die "debootstrap is not installed"
here=$(cd "$(dirname "$0")/.." && pwd)
deb=$(find "$here/build/package" -name '*.deb' 2>/dev/null)
archive=$(find "$here/build/package" -name '*.tar.gz' 2>/dev/null)
[[ -n $deb && -n $archive ]] || die "no packages in build/package: run make package"

root=$(mktemp -d "${TMPDIR:-/var/tmp}/rondo-package.XXXXXX")
trap 'rm -rf --one-file-system "$root"' EXIT
. "$here/scripts/bare_root.sh"
make_bare_root "$root"
cp -a "$deb" "$root/srv/rondo.deb"
cp -a "$archive" "$root/srv/rondo.tar.gz"
cp -a "$here/tests/consumer" "$root/srv/consumer"
cp "${BASH_SOURCE[0]}" "$root/srv/try_package.sh"
variables=()
for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
  [[ -z ${!name-} ]] || variables+=("$name=${!name}")
done
# Whatever happens, nothing stays mounted.
unshare --mount --pid --fork sh -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec "$@"' "$root" \
  chroot "$root" env -i "${variables[@]}" bash /srv/try_package.sh --inside
echo 'try_package: both packages work'
