#!/bin/sh
# usage: run.sh NVIM SERVER
# Opens a broken module in a real Neovim, with the language server attached, and checks what the editor shows.
set -eu
nvim=$1
server=$2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$here/broken.hlo" "$folder/broken.hlo"
cd "$folder"
HLOSCOPE_LSP=$server HOME=$folder XDG_STATE_HOME=$folder XDG_CACHE_HOME=$folder XDG_DATA_HOME=$folder \
  XDG_CONFIG_HOME=$folder "$nvim" --headless -u NONE -i NONE -n -c "luafile $here/probe.lua" broken.hlo
