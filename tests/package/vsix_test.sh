#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: vsix_test.sh SOURCE BUILD
# Unpacks the package for VS Code as VS Code does, and runs the programs inside in a root that has a shell and nothing else.
set -euo pipefail
source=$1 build=$2
if [ -z "${HLOSCOPE_LONG_TESTS:-}" ]; then echo "long: set HLOSCOPE_LONG_TESTS"; exit 77; fi
if [ "$(id -u)" -ne 0 ]; then echo "only root can change the root folder"; exit 77; fi
command -v unzip >/dev/null || { echo "no unzip here"; exit 77; }
[ -f "$build/hloscope.vsix" ] || { echo "there is no package of the extension"; exit 77; }
root=$(mktemp -d "$build/vsix-test.XXXXXX")
trap 'rm -rf "$root"' EXIT
unzip -q "$build/hloscope.vsix" -d "$root"
# One package for each platform, of the version of its programs, and nothing of those who made it.
grep -q 'TargetPlatform="linux-' "$root/extension.vsixmanifest"
version=$("$build/bin/hloscope" --version | cut -d' ' -f2)
grep -q "Version=\"$version\"" "$root/extension.vsixmanifest"
for file in package.json readme.md dist/extension.js syntaxes/hlo.tmLanguage.json server/bin/hloscope-lsp server/bin/hloscope-dap \
  server/share/hloscope/resources/ops/dot.md; do
  [ -n "$(find "$root/extension" -ipath "$root/extension/$file")" ] || { echo "$file is not in the package"; exit 1; }
done
[ ! -e "$root/extension/src" ] && [ ! -e "$root/extension/node_modules" ]
"$source/tests/package/bare_root.sh" "$root" /extension/server
