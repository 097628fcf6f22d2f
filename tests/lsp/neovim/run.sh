#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh NVIM SERVER
# Opens a broken module in a real Neovim set up as lsp/editors/neovim.md says, and checks what the editor shows.
set -eu
nvim=$1
server=$2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$here/broken.hlo" "$folder/broken.hlo"
# A dump, which only its first line tells, and a text that is none.
cp "$here/broken.hlo" "$folder/dump.txt"
echo "HloModules are explained here" >"$folder/notes.txt"
cd "$folder"
HLOSCOPE_LSP=$server HLOSCOPE_EDITORS=$here/../../../lsp/editors HOME=$folder XDG_STATE_HOME=$folder XDG_CACHE_HOME=$folder XDG_DATA_HOME=$folder \
  XDG_CONFIG_HOME=$folder "$nvim" --headless -u NONE -i NONE -n -c "luafile $here/probe.lua"
