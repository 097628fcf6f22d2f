#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: debian_test.sh BUILD
# Makes the Debian packages and installs `hloscope` into a root that holds its dependencies and nothing else; runs the
# programs there, asks lintian, and looks for what uninstalling leaves. Needs to be root.
set -euo pipefail
build=$1
if [ -z "${HLOSCOPE_LONG_TESTS:-}" ]; then echo "long: set HLOSCOPE_LONG_TESTS"; exit 77; fi
if [ "$(id -u)" -ne 0 ]; then echo "only root can change the root folder"; exit 77; fi
command -v dpkg-deb >/dev/null || { echo "no dpkg here"; exit 77; }
work=$(mktemp -d "$build/package-test.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Packed without effort: nobody keeps these.
(cd "$build" && cpack -G DEB -B "$work/packages" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip) >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
package=$(echo "$work"/packages/hloscope_*.deb)
development=$(echo "$work"/packages/hloscope-dev_*.deb)
dpkg-deb --info "$package"
dpkg-deb --fsys-tarfile "$package" | tar -t >"$work/files"
for file in bin/hloscope bin/hloscope-lsp bin/hloscope-dap share/man/man1/hloscope.1.gz share/man/man1/hloscope-check.1.gz \
  share/man/man1/hloscope-lsp.1.gz share/bash-completion/completions/hloscope share/zsh/vendor-completions/_hloscope \
  share/fish/vendor_completions.d/hloscope.fish share/mime/packages/hloscope.xml share/hloscope/resources/ops/dot.md share/hloscope/resources/devices/devices.txt \
  share/doc/hloscope/copyright share/doc/hloscope/THIRD_PARTY.md; do
  grep -qx "./usr/$file" "$work/files" || { echo "$file is not in the package"; exit 1; }
done
# Each command has a page of its own, and none of them is that of another program.
dpkg-deb --fsys-tarfile "$package" | tar -x -C "$work" --wildcards './usr/share/man/*'
"$build/bin/hloscope" --help | sed -nE '/^commands:/,/^$/s/^  ([a-z-]+) +(.*)$/\1 \2/p' >"$work/commands"
while read -r command summary; do
  page=$work/usr/share/man/man1/hloscope-$command.1.gz
  zcat "$page" | sed 's/\\//g' | grep -qF -- "- $summary" || { echo "$page is not the page of $command"; exit 1; }
done <"$work/commands"
dpkg-deb --fsys-tarfile "$development" | tar -t >"$work/development-files"
grep -qx ./usr/include/hloscope/core/document/document.h "$work/development-files"

if command -v lintian >/dev/null; then
  lintian --fail-on error --tag-display-limit 0 "$package" "$development"
else
  echo "lintian is not installed: not asked"
fi

# A root of the packages that it depends on, from the files that are installed here.
root=$work/root
mkdir -p "$root"/{usr/{bin,sbin,lib,lib32,lib64,libx32,share},var/lib/dpkg/{updates,info},tmp,proc,dev,etc}
for folder in bin sbin lib lib32 lib64 libx32; do ln -s "usr/$folder" "$root/$folder"; done
touch "$root/var/lib/dpkg"/{status,available}
# One question about all packages: hundreds of processes take minutes on a busy machine.
declare -A known=() needs=()
while IFS=$'\t' read -r name list; do needs[$name]=$list; done < <(
  dpkg-query -W -f '${db:Status-Abbrev}\t${Package}\t${Pre-Depends},${Depends}\n' | sed -n 's/^ii *\t//p')
shopt -s extglob
add_dependencies() {
  local group name groups
  IFS=, read -ra groups <<<"${1//\(*([^)])\)/}"
  for group in "${groups[@]}"; do
    # Of alternatives, the first that is installed.
    for name in ${group//|/ }; do
      name=${name%:any}
      [ -n "${needs[$name]+installed}" ] || continue
      if [ -z "${known[$name]:-}" ]; then
        known[$name]=1
        add_dependencies "${needs[$name]}"
      fi
      break
    done
  done
}
add_dependencies "$(dpkg-deb -f "$package" Depends)"
echo "depends on ${#known[@]} packages, with what those depend on"
dpkg -L "${!known[@]}" | while IFS= read -r file; do
  # Real files alone; links make directories of others.
  if [ -L "$file" ] || { [ -f "$file" ] && [[ $file != /usr/share/doc/* && $file != /usr/share/locale/* ]]; }; then echo "$file"; fi
done | sort -u >"$work/dependencies"
tar -C / -cf - --files-from="$work/dependencies" 2>/dev/null | tar -C "$root" --keep-directory-symlink -xf - 2>/dev/null || true
ldconfig -r "$root"

dpkg --root="$root" --force-depends --log="$work/dpkg.log" -i "$package" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
in_root() { env -i PATH=/usr/bin HOME=/tmp QT_QPA_PLATFORM=offscreen "$(command -v chroot)" "$root" "$@"; }
version=$(in_root hloscope --version)
echo "$version"
[ "$version" = "hloscope $(dpkg-deb -f "$package" Version)" ]
examples=/usr/share/hloscope/resources/examples
in_root hloscope check "$examples/mlp.hlo"
in_root hloscope run "$examples/mlp.hlo" --fill=random --stats | tail -3
in_root hloscope explain dot | grep contract >/dev/null
in_root hloscope-lsp --version
in_root hloscope-dap --version
if grep -qx ./usr/bin/hloscope-gui "$work/files"; then
  in_root hloscope-gui --version
  in_root hloscope-gui --screenshot /tmp/window.png "$examples/mlp.hlo"
  [ -s "$root/tmp/window.png" ]
fi

dpkg --root="$root" --log="$work/dpkg.log" --purge hloscope >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
left=$(find "$root" -xdev -path "$root/var/lib/dpkg" -prune -o -name '*hloscope*' -print | grep -v "^$root/tmp" || true)
if [ -n "$left" ]; then
  echo "uninstalling leaves: $left"
  exit 1
fi
