#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh TESTS_PROGRAM BUILD_FOLDER
# Runs the tests of the debug adapter once more and checks every message that they exchange against the published types
# of the protocol.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tests=$1
build=$(cd "$2" && pwd)

# Says why, and ends; ctest counts it as skipped.
skip() { echo "skipped: $1"; exit 0; }

command -v node >/dev/null && command -v npm >/dev/null || skip "node and npm are not installed"
node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)' || skip "the check needs node 20 or later"
stage=$build/npm/debug-protocol
"$here/install.sh" "$stage" || skip "the npm packages of the protocol's types cannot be installed"
rm -rf "$stage/transcripts"
mkdir "$stage/transcripts"
HLOSCOPE_DAP_TRANSCRIPTS=$stage/transcripts "$tests" --gtest_filter='DebugAdapter*-*Parent*:*LogPointsDoNot*' --gtest_brief=1
exec node "$stage/check_transcripts.mjs" "$stage/transcripts" "$here/../../../lsp/debug_adapter/requests.def"
