#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: package.sh BUILD_FOLDER
# Packs the extension, with the programs of BUILD_FOLDER/bin and their resources, into BUILD_FOLDER/hloscope.vsix.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
"$here/stage.sh" "$build"
stage=$build/vscode

mkdir -p "$stage/syntaxes"
cp "$build/share/hloscope/hlo.tmLanguage.json" "$stage/syntaxes/"
# With every library that they load: users of the package install nothing else.
"$here/../../cmake/relocatable.sh" "$build" "$stage/server"

cd "$stage"
# The version is that of the programs.
node -e 'const fs = require("fs"); const manifest = JSON.parse(fs.readFileSync("package.json", "utf8"));
manifest.version = process.argv[1]; fs.writeFileSync("package.json", JSON.stringify(manifest, null, 2));' \
  "$("$build/bin/hloscope" --version | cut -d' ' -f2)"
node_modules/.bin/tsc --noEmit -p .
node scripts/bundle.mjs
# The programs are of this machine's kind, so the package is too.
target=$(node -p '`${process.platform}-${process.arch}`')
node_modules/.bin/vsce package --no-dependencies --allow-missing-repository --no-rewrite-relative-links --target "$target" --out "$build/hloscope.vsix.new"
mv "$build/hloscope.vsix.new" "$build/hloscope.vsix"
