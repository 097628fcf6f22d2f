#!/bin/sh
# usage: run.sh EMACS SERVER
# Opens a broken module in a real Emacs set up as lsp/editors/emacs.md says, and checks what eglot and flymake make of it.
set -eu
emacs=$1
server=$2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$here/../neovim/broken.hlo" "$folder/broken.hlo"
# A dump, which only its first line tells.
cp "$here/../neovim/broken.hlo" "$folder/dump.txt"
cd "$folder"
# -q and not -Q: Debian's start file puts eglot on the load path.
export HLOSCOPE_LSP="$server" HLOSCOPE_EDITORS="$here/../../../lsp/editors" HOME="$folder"
if ! "$emacs" -q --batch --eval "(unless (require 'eglot nil t) (kill-emacs 3))"; then
  echo "skipped: eglot is not installed"
  exit 0
fi
exec "$emacs" -q --batch -l "$here/probe.el"
