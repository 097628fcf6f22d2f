#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh EMACS SERVER ADAPTER
# Opens modules in a real Emacs set up as lsp/editors/emacs.md says, and checks what eglot and flymake make of one, and
# dap-mode of another where it is installed.
set -eu
emacs=$1
server=$2
adapter=$3
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$here/../neovim/broken.hlo" "$folder/broken.hlo"
# A dump, which only its first line tells.
cp "$here/../neovim/broken.hlo" "$folder/dump.txt"
cat >"$folder/loop.hlo" <<'MODULE'
HloModule loop

ENTRY e {
  x = f32[4] parameter(0)
  y = f32[4] add(x, x)
  ROOT z = f32[4] negate(y)
}
MODULE
cd "$folder"
# -q and not -Q: Debian's start file puts packages on the load path. HLOSCOPE_EMACS_PACKAGES is a folder of others.
export HLOSCOPE_LSP="$server" HLOSCOPE_DAP="$adapter" HLOSCOPE_EDITORS="$here/../../../lsp/editors" HOME="$folder"
packages="(let ((more (getenv \"HLOSCOPE_EMACS_PACKAGES\"))) (dolist (folder (and more (directory-files more t \"^[^.]\"))) (add-to-list 'load-path folder)))"
if ! "$emacs" -q --batch --eval "(unless (require 'eglot nil t) (kill-emacs 3))"; then
  echo "skipped: eglot is not installed"
  exit 0
fi
"$emacs" -q --batch -l "$here/probe.el"
if ! "$emacs" -q --batch --eval "$packages" --eval "(unless (require 'dap-mode nil t) (kill-emacs 3))"; then
  echo "not debugged: dap-mode is not installed"
  exit 0
fi
"$emacs" -q --batch --eval "$packages" -l "$here/debug_probe.el"
