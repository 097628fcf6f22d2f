#!/usr/bin/env bash
# usage: package.sh BUILD_FOLDER
# Packs the extension, with the programs of BUILD_FOLDER/bin and their resources, into BUILD_FOLDER/hloscope.vsix.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
"$here/stage.sh" "$build"
stage=$build/vscode

mkdir -p "$stage/syntaxes"
cp "$build/share/hloscope/hlo.tmLanguage.json" "$stage/syntaxes/"
rm -rf "$stage/server"
mkdir -p "$stage/server/bin"
for program in hloscope hloscope-lsp hloscope-dap hloscope-gui hloscope-layout; do
  if [ -x "$build/bin/$program" ]; then cp "$build/bin/$program" "$stage/server/bin/"; fi
done
cp -r "$here/../../resources" "$stage/server/resources"
strip --strip-unneeded "$stage"/server/bin/*
for program in "$stage"/server/bin/*; do
  if ldd "$program" | grep -q libhloscope_; then
    echo "package.sh: $program needs a library outside of the package" >&2
    exit 1
  fi
done

cd "$stage"
# The version is that of the programs.
node -e 'const fs = require("fs"); const manifest = JSON.parse(fs.readFileSync("package.json", "utf8"));
manifest.version = process.argv[1]; fs.writeFileSync("package.json", JSON.stringify(manifest, null, 2));' \
  "$("$build/bin/hloscope" --version | cut -d' ' -f2)"
node_modules/.bin/tsc --noEmit -p .
node scripts/bundle.mjs
# The programs are of this machine's kind, so the package is too.
target=$(node -p '`${process.platform}-${process.arch}`')
node_modules/.bin/vsce package --no-dependencies --allow-missing-repository --target "$target" --out "$build/hloscope.vsix.new"
mv "$build/hloscope.vsix.new" "$build/hloscope.vsix"
