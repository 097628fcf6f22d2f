#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: stage.sh BUILD_FOLDER
# Copies the extension to BUILD_FOLDER/vscode, beside the npm packages that build it, and installs those if they are not
# there. Fails with npm's words if they cannot be installed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1/vscode"
stage=$(cd "$1/vscode" && pwd)

command -v node >/dev/null && command -v npm >/dev/null || { echo "node and npm are not installed" >&2; exit 1; }
for folder in grammars media scripts snippets src test; do
  rm -rf "${stage:?}/$folder"
  cp -r "$here/$folder" "$stage/$folder"
done
cp "$here"/{.vscodeignore,README.md,language-configuration.json,stablehlo-configuration.json,package.json,tsconfig.json} "$stage/"
cp "$here/../../LICENSE" "$stage/LICENSE.txt"
node "$here/scripts/icon.mjs" "$here/../../resources/desktop/hloscope.svg" "$stage/icon.png"

# The packages depend on this part of the manifest only.
packages=$(node -p 'JSON.stringify(require(process.argv[1]).devDependencies)' "$stage/package.json")
if [ "$(cat "$stage/node_modules/.installed" 2>/dev/null)" != "$packages" ]; then
  (cd "$stage" && npm --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=60000 --no-audit --no-fund --no-package-lock --no-update-notifier --loglevel=error install --ignore-scripts)
  printf '%s' "$packages" >"$stage/node_modules/.installed"
fi
