# make_bare_root ROOT: a bare Debian 12 (debootstrap, minbase, with git, make and ca-certificates), for scripts/try_*.sh.
#
# Nothing of this machine goes into the root but what stands in for its network: resolv.conf and hosts, the sources,
# keys and Acquire options of apt, and the certificates. Calls die() when something fails.
readonly suite=bookworm

make_bare_root() {
  local root=$1 mirror list key
  if [[ ! -e $root/etc/debian_version ]]; then
    # The mirror is the one that this machine uses.
    mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' |
      awk -v suite="$suite" '$2 == suite { print $1; exit }')
    [[ -n $mirror ]] || die "apt of this machine has no source of $suite"
    echo "installing a bare Debian 12"
    debootstrap --variant=minbase --include=git,make,ca-certificates "$suite" "$root" "$mirror" >"$root.log" 2>&1 || {
      tail -n 20 "$root.log" >&2
      die "debootstrap failed"
    }
    rm -f "$root.log"
  fi

  # Copies a file or folder of this machine to the same path, if it exists.
  copy() {
    local path
    for path in "$@"; do
      [[ -e $path ]] || continue
      mkdir -p "$root$(dirname "$path")"
      cp -aL "$path" "$root$(dirname "$path")/"
    done
  }
  copy /etc/resolv.conf /etc/hosts
  rm -f "$root/etc/apt/sources.list"
  copy /etc/apt/sources.list /etc/apt/auth.conf /etc/apt/auth.conf.d /etc/apt/trusted.gpg.d
  for list in /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list; do copy "$list"; done
  while read -r key; do copy "$key"; done < <(
    sed -nE 's/.*[Ss]igned-[Bb]y[:=] *([^] ]+).*/\1/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null)
  apt-config dump | grep -E '^Acquire::(https?|ftp)::' >"$root/etc/apt/apt.conf.d/00host" || true
  copy /usr/local/share/ca-certificates
  chroot "$root" update-ca-certificates >/dev/null 2>&1
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
}
