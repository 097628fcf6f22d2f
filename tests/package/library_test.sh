#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: library_test.sh SOURCE BUILD
# Installs the libraries, and builds and runs docs/library against them.
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" --component development >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
[ -e "$work/prefix/lib/cmake/HLOscope/HLOscopeConfig.cmake" ]
[ ! -e "$work/prefix/bin" ]
# Nothing of the source tree is in reach.
cp -r "$source/docs/library" "$work/example"
cmake -G Ninja -S "$work/example" -B "$work/example/build" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1 &&
  cmake --build "$work/example/build" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
output=$("$work/example/build/example")
echo "$output"
grep -q 'ROOT sum = ' <<<"$output"
grep -qF '{ { 11, 22, 33 }, { 44, 55, 66 } }' <<<"$output"
