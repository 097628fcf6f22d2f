#!/usr/bin/env bash
# usage: relocatable_test.sh SOURCE BUILD
# Makes the relocatable folder and runs its programs in a root that has a shell and nothing else.
set -euo pipefail
source=$1 build=$2
if [ -z "${HLOSCOPE_LONG_TESTS:-}" ]; then echo "long: set HLOSCOPE_LONG_TESTS"; exit 77; fi
if [ "$(id -u)" -ne 0 ]; then echo "only root can change the root folder"; exit 77; fi
root=$(mktemp -d "$build/relocatable-test.XXXXXX")
trap 'rm -rf "$root"' EXIT
"$source/cmake/relocatable.sh" "$build" "$root/somewhere/hloscope"
# Moved: nothing remembers where it was made.
mkdir -p "$root/opt" "$root/bin" "$root/tmp" "$root/dev"
mv "$root/somewhere/hloscope" "$root/opt/moved"
for program in sh dirname readlink; do
  path=$(command -v "$program")
  cp -L "$path" "$root/bin/$program"
  for library in $(ldd "$path" | sed -nE 's/^\t(.* => )?(\/[^ ]+) \(0x.*/\2/p'); do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
done
in_root() { env -i PATH=/bin HOME=/tmp QT_QPA_PLATFORM=offscreen "$(command -v chroot)" "$root" "$@"; }
programs=/opt/moved/bin example=/opt/moved/share/hloscope/resources/examples/mlp.hlo
in_root $programs/hloscope --version
in_root $programs/hloscope check $example
in_root $programs/hloscope run $example --fill=random --stats | tail -3
in_root $programs/hloscope explain dot | grep contract >/dev/null
in_root $programs/hloscope-lsp --version
in_root $programs/hloscope-dap --version
if [ -e "$root$programs/hloscope-gui" ]; then
  in_root $programs/hloscope-gui --version
  in_root $programs/hloscope-gui --screenshot /tmp/window.png $example
  [ -s "$root/tmp/window.png" ]
fi
