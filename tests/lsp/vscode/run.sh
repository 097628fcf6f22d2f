#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh vscode_unit|vscode_package|vscode_end_to_end BUILD_FOLDER
# Tests of the extension. Screenshots and logs of the end-to-end tests are kept in BUILD_FOLDER/vscode-test.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
extension=$here/../../../lsp/vscode
build=$(cd "$2" && pwd)

# Says why, and ends; ctest counts it as skipped.
skip() { echo "skipped: $1"; exit 0; }

command -v node >/dev/null && command -v npm >/dev/null || skip "node and npm are not installed"
"$extension/stage.sh" "$build" || skip "the npm packages of the extension cannot be installed"

case "$1" in
  vscode_unit)
    cd "$build/vscode"
    node_modules/.bin/tsc --noEmit -p .
    node scripts/bundle.mjs --tests
    node --test build-tests/*.test.cjs
    ;;
  vscode_package)
    "$extension/package.sh" "$build"
    ;;
  vscode_end_to_end)
    node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)' || skip "VS Code's server needs node 20 or later"
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "no chromium is installed"
    [ -f "$build/hloscope.vsix" ] || skip "there is no package of the extension"
    "$here/install_code_server.sh" "$build/npm/code-server" || skip "code-server cannot be installed"
    rm -rf "$build/npm/code-server/tests"
    mkdir "$build/npm/code-server/tests"
    cp -r "$here"/*.mjs "$here/scenarios" "$build/npm/code-server/tests/"
    exec node "$build/npm/code-server/tests/main.mjs" "$browser" "$build" "$here/workspace"
    ;;
  *)
    echo "run.sh: unknown test $1" >&2
    exit 2
    ;;
esac
