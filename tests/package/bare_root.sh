#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bare_root.sh ROOT FOLDER
# Runs the programs of FOLDER (a path below ROOT) in ROOT, to which a shell and nothing else is added. Needs to be root.
set -euo pipefail
root=$1 folder=$2
mkdir -p "$root/bin" "$root/tmp" "$root/dev"
: >"$root/dev/null"  # a file does as well
for program in sh dirname readlink; do
  path=$(command -v "$program")
  cp -L "$path" "$root/bin/$program"
  for library in $(ldd "$path" | sed -nE 's/^\t(.* => )?(\/[^ ]+) \(0x.*/\2/p'); do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
done
in_root() { env -i PATH=/bin HOME=/tmp QT_QPA_PLATFORM=offscreen "$(command -v chroot)" "$root" "$@"; }
programs=$folder/bin example=$folder/share/hloscope/resources/examples/mlp.hlo
in_root $programs/hloscope --version
in_root $programs/hloscope check $example
in_root $programs/hloscope run $example --fill=random --stats | tail -3
in_root $programs/hloscope explain dot | grep contract >/dev/null
in_root $programs/hloscope run $example --fill=random --trace=/tmp/run.xplane.pb >/dev/null
in_root $programs/hloscope profile /tmp/run.xplane.pb --device=H100 | grep "H100: 3.35 TB/s" >/dev/null
in_root $programs/hloscope-lsp --version
in_root $programs/hloscope-dap --version
# Programs that start themselves again: a reducer that runs what it tries, and a server that evaluates in another process.
cat >"$root/tmp/nan.hlo" <<'MODULE'
HloModule m

ENTRY e {
  x = f32[] constant(-1)
  y = f32[] sqrt(x)
  ROOT z = f32[] negate(y)
}
MODULE
in_root $programs/hloscope reduce-test-case --nan /tmp/nan.hlo | grep sqrt >/dev/null
message() { printf 'Content-Length: %d\r\n\r\n%s' "${#1}" "$1"; }
text='ENTRY e {\n  x = f32[] constant(2)\n  ROOT y = f32[] add(x, x)\n}\n'
{
  message '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}'
  message '{"jsonrpc":"2.0","method":"initialized","params":{}}'
  message "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":\"file:///tmp/a.hlo\",\"languageId\":\"hlo\",\"version\":1,\"text\":\"$text\"}}}"
  message '{"jsonrpc":"2.0","id":2,"method":"hloscope/value","params":{"textDocument":{"uri":"file:///tmp/a.hlo"},"position":{"line":2,"character":8}}}'
  sleep 3
  message '{"jsonrpc":"2.0","id":3,"method":"shutdown"}'
  message '{"jsonrpc":"2.0","method":"exit"}'
} | in_root $programs/hloscope-lsp >"$root/tmp/answers"
grep -a '"id":2' "$root/tmp/answers" | grep -a '"literal":"4"' >/dev/null || { cat "$root/tmp/answers"; exit 1; }
if [ -e "$root$programs/hloscope-gui" ]; then
  in_root $programs/hloscope-gui --version
  in_root $programs/hloscope-gui --screenshot /tmp/window.png $example
  [ -s "$root/tmp/window.png" ]
fi
