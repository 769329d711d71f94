#!/usr/bin/env bash
# Tries the two commands of the README on a machine that has nothing: makes a bare Debian 12 (debootstrap, minbase,
# with git, make and ca-certificates), clones the committed tree into it, and runs make there.
#
#   scripts/try_bare.sh [TARGET...]     targets of make; without any: run test
#   KEEP=1 scripts/try_bare.sh ...      keeps the root, and prints its path
#   BARE_ROOT=DIR scripts/try_bare.sh   in this folder, whatever is there already: a second try is quicker
#
# Nothing of this machine goes into the root but what stands in for its network: resolv.conf and hosts, the sources,
# keys and Acquire options of apt, the certificates, the configuration of npm, and proxies of the environment.
#
# Needs root and debootstrap. Everything is mounted in a namespace of its own, and every process lives in one: whatever
# happens, nothing stays mounted and nothing keeps running.
set -euo pipefail

die() {
  printf 'try_bare: %s\n' "$*" >&2
  exit 1
}

readonly source_in_root=/srv/rondo
readonly home_in_root=/root

# ---- Inside the namespaces: mounts, and make ----------------------------------------------------------------------

if [[ ${1-} == --inside ]]; then
  root=$2
  shift 2
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  variables=(HOME="$home_in_root" LANG=C.UTF-8 TERM="${TERM-dumb}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY JOBS; do
    [[ -z ${!name-} ]] || variables+=("$name=${!name}")
  done
  # Where the host trusts more than Node brings along, its bundle is in the root.
  [[ -z ${NODE_EXTRA_CA_CERTS-} ]] || variables+=(NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt)
  status=0
  for target in "$@"; do
    printf '\n==== make %s, on a bare Debian 12 ====\n' "$target"
    begin=$SECONDS
    chroot "$root" env -i "${variables[@]}" make -C "$source_in_root" "$target" </dev/null || {
      status=1
      echo "try_bare: make $target failed after $((SECONDS - begin)) s"
      continue
    }
    echo "try_bare: make $target succeeded in $((SECONDS - begin)) s"
  done
  exit "$status"
fi

# ---- Outside: the root, and what goes into it ---------------------------------------------------------------------

targets=("$@")
((${#targets[@]})) || targets=(run test)
((EUID == 0)) || die "needs root, for debootstrap and chroot"
command -v debootstrap >/dev/null || die "debootstrap is not installed"
here=$(cd "$(dirname "$0")/.." && pwd)
commit=$(git -C "$here" rev-parse HEAD)
[[ -z $(git -C "$here" status --porcelain) ]] || echo "try_bare: there are changes that are not committed: they are not tried"

if [[ -n ${BARE_ROOT-} ]]; then
  root=$BARE_ROOT
  KEEP=1
  mkdir -p "$root"
else
  root=$(mktemp -d "${TMPDIR:-/var/tmp}/rondo-bare.XXXXXX")
fi
clean_up() {
  if [[ -n ${KEEP-} ]]; then
    echo "try_bare: left in $root"
  else
    rm -rf --one-file-system "$root"
  fi
}
trap clean_up EXIT

. "$here/scripts/bare_root.sh"
make_bare_root "$root"
if command -v npm >/dev/null; then
  for kind in globalconfig userconfig; do
    file=$(npm config get "$kind" 2>/dev/null || true)
    # Debian's npm reads /etc/npmrc, wherever that of this machine reads its own.
    if [[ -e $file ]]; then cp -L "$file" "$root/$([[ $kind == globalconfig ]] && echo etc/npmrc || echo "$home_in_root/.npmrc")"; fi
  done
  # The headers of another Node are none of ours.
  sed -i '/^nodedir/d' "$root/etc/npmrc" "$root$home_in_root/.npmrc" 2>/dev/null || true
fi

echo "try_bare: cloning $commit"
rm -rf "${root:?}$source_in_root"
git clone --quiet --no-checkout "$(cd "$here" && git rev-parse --path-format=absolute --git-common-dir)" \
  "$root$source_in_root"
git -C "$root$source_in_root" checkout --quiet --detach "$commit"

unshare --mount --propagation private --pid --fork --kill-child "$0" --inside "$root" "${targets[@]}"
