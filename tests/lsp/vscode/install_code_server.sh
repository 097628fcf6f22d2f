#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: install_code_server.sh FOLDER
# Installs code-server (the workbench of VS Code behind a web server) and playwright-core from npm into FOLDER. Nothing is
# downloaded but packages: what their install scripts would fetch from elsewhere is built here, taken from Debian, or not
# needed by tests. Does nothing if FOLDER is complete.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
done_mark=$folder/.complete

# What was installed, and how.
recipe() { cat "$here/package.json" "$here/install_code_server.sh"; }
if [ -f "$done_mark" ] && recipe | cmp -s - "$done_mark"; then exit 0; fi
rm -f "$done_mark"
cp "$here/package.json" "$folder/package.json"
# A registry that does not answer is given up soon.
npm=(npm --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=60000 --no-audit --no-fund --no-package-lock --no-update-notifier --loglevel=error)

cd "$folder"
"${npm[@]}" install --ignore-scripts
vscode=$folder/node_modules/code-server/lib/vscode

# The command line does not start without argon2. Its headers: those beside the system's node, if they are there.
headers=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
if [ -f "$headers/include/node/node_api.h" ]; then export npm_config_nodedir=$headers; fi
"${npm[@]}" rebuild argon2 --build-from-source

# Dependencies of the workbench's server. Of its native modules, output channels need spdlog; those for terminals and for
# watching files are left out.
(cd "$vscode" && "${npm[@]}" install --ignore-scripts --omit=dev)
(cd "$vscode" && "${npm[@]}" rebuild @vscode/spdlog --build-from-source)
mkdir -p "$vscode/node_modules/@vscode/ripgrep/bin"
if command -v rg >/dev/null; then ln -sf "$(command -v rg)" "$vscode/node_modules/@vscode/ripgrep/bin/rg"; fi
ln -sfn node_modules "$vscode/node_modules.asar"

"$folder/node_modules/.bin/code-server" --version >/dev/null
recipe >"$done_mark"
