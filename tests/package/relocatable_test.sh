#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: relocatable_test.sh SOURCE BUILD
# Makes the relocatable folder and runs its programs in a root that has a shell and nothing else.
set -euo pipefail
source=$1 build=$2
if [ -z "${HLOSCOPE_LONG_TESTS:-}" ]; then echo "long: set HLOSCOPE_LONG_TESTS"; exit 77; fi
if [ "$(id -u)" -ne 0 ]; then echo "only root can change the root folder"; exit 77; fi
root=$(mktemp -d "$build/relocatable-test.XXXXXX")
trap 'rm -rf "$root"' EXIT
"$source/cmake/relocatable.sh" "$build" "$root/somewhere/hloscope"
# Moved: nothing remembers where it was made.
mkdir -p "$root/opt"
mv "$root/somewhere/hloscope" "$root/opt/moved"
"$source/tests/package/bare_root.sh" "$root" /opt/moved
