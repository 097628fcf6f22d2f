#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs each command of ./dev in a copy of its tree where every tool is a stand-in that notes how it was called, so that a
# misspelt function or a forgotten step shows in a second and not after the build.
set -euo pipefail
source_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cp "$source_root/dev" "$tree/dev"
mkdir -p "$tree/tools" "$tree/docs/pictures"
touch "$tree/docs/pictures/loop.png"

stand_in() {
  mkdir -p "$(dirname "$tree/$1")"
  printf '#!/bin/bash\necho "%s $*" >>"%s/calls"\n%s\n' "$(basename "$1")" "$tree" "${2:-}" >"$tree/$1"
  chmod +x "$tree/$1"
}
for tool in cmake cpack lintian ctest apt-get xvfb-run clang-tidy clang-format convert node npm sudo; do stand_in "tools/$tool"; done
stand_in tools/git 'case "$1" in
  merge-base) [ -n "${FIRST_COMMIT:-}" ] && exit 1; echo base ;;
  rev-parse) [ -n "${FIRST_COMMIT:-}" ] && exit 1; echo head ;;
  *) echo core/some_file.cc ;;
esac'
stand_in tools/zstd "cat >/dev/null"
# What the tests get.
stand_in tools/ctest 'sed -i "s/^ctest .*/& expects ${HLOSCOPE_FUZZ_SECONDS:-0} s${HLOSCOPE_EXPECT_SHARED:+, shared files}$([ "${HLOSCOPE_CHECKS_END:-9999999999}" -ge "$(date +%s)" ] || echo ", no time left")/" "$(dirname "$0")/../calls"'
stand_in tools/dpkg-query 'if [ -n "${ALL_INSTALLED:-}" ]; then printf "installed %s\\n" "${@:4}"; fi'
for program in hloscope hloscope-gui hloscope_bench hloscope_pictures; do stand_in "build/bin/$program"; done
for target in lexer edit; do stand_in "build-asan/bin/fuzz_$target"; done
for script in lsp/vscode/stage.sh lsp/vscode/package.sh tests/lsp/vscode/install_code_server.sh \
  tests/lsp/debug_protocol/install.sh tests/fuzz/run.sh; do stand_in "$script"; done

stand_in cmake/relocatable.sh 'mkdir -p "$2"'
touch "$tree/build/hloscope.vsix"

failures=0
# expect STATUS CALL ARGUMENTS...: `./dev ARGUMENTS` ends with STATUS and calls a tool in a way that matches CALL.
expect() {
  local status=0 wanted_status=$1 wanted_call=$2
  shift 2
  : >"$tree/calls"
  PATH="$tree/tools:$PATH" "$tree/dev" "$@" >"$tree/output" 2>&1 </dev/null || status=$?
  if [ "$status" -ne "$wanted_status" ] || grep -q 'command not found' "$tree/output" || ! grep -qE -- "$wanted_call" "$tree/calls" "$tree/output"; then
    failures=$((failures + 1))
    echo "FAILED: ./dev $* ended with $status (expected $wanted_status and '$wanted_call'); it called:"
    cat "$tree/calls"
    echo "and printed:"
    cat "$tree/output"
  fi
}

unset DISPLAY WAYLAND_DISPLAY HLOSCOPE_CI_SECONDS HLOSCOPE_CHECKS_END HLOSCOPE_FUZZ_SECONDS HLOSCOPE_SHARED HLOSCOPE_EXPECT_SHARED
export ALL_INSTALLED=1
expect 0 'usage: ./dev COMMAND'
expect 0 'usage: ./dev COMMAND' help
expect 2 "unknown command 'tset'" tset
expect 0 '' setup
expect 0 'cmake --build --preset release --target programs' build
expect 0 'cmake --build --preset asan --target programs' build asan
expect 0 'hloscope run resources/examples/mlp.hlo' run
expect 0 'hloscope run other.hlo' run other.hlo
DISPLAY=:7 expect 0 'hloscope-gui other.hlo' run other.hlo
expect 0 'ctest --test-dir build ' test
expect 0 'cmake --build --preset release --target all' test
expect 0 'stage.sh build' test
expect 0 'ctest --test-dir build-asan' test asan
HLOSCOPE_FUZZ_SECONDS=30 expect 0 'cmake --build --preset asan --target fuzz_targets' test
HLOSCOPE_FUZZ_SECONDS=30 expect 0 'cmake --preset release -DHLOSCOPE_CHECKS=fuzz' test
expect 0 'cmake --preset release -DHLOSCOPE_CHECKS=$' test
expect 0 'cmake --build --preset asan --target hloscope_core_tests hloscope_ops_tests hloscope_evaluator_tests hloscope_interop_tests hloscope_stablehlo_tests fuzz_targets' test --ci
HLOSCOPE_CI_SECONDS=-1 expect 0 'left out on this slow machine' test --ci
HLOSCOPE_CI_SECONDS=-1 expect 0 'ctest --test-dir build .*expects 0 s, no time left$' test --ci
expect 0 'cmake --preset release -DHLOSCOPE_CHECKS=fuzz;sanitizers;tidy$' test --ci
expect 0 'cmake --preset release -DHLOSCOPE_CHECKS=tidy$' test --ci
expect 0 'cmake -G Ninja -S . -B build-tidy' test --ci
expect 0 'ctest --test-dir build .*expects 30 s$' test --ci
HLOSCOPE_SHARED=/nowhere expect 0 'ctest --test-dir build .*expects 30 s, shared files' test --ci
expect 0 'package.sh build' vsix
expect 0 'cpack -G DEB' package
expect 0 'relocatable.sh build build/package/hloscope-linux-x64' package
expect 0 'package.sh build' package
expect 0 'hloscope_bench parsing' bench parsing
expect 0 'cmake --build --preset release --target programs hloscope_bench' bench parsing
expect 0 'hloscope_bench evaluator' bench --peers evaluator
expect 0 'xvfb-run .*hloscope_pictures build/screenshots' screenshots
expect 0 "xvfb-run .*hloscope_pictures $tree/pictures" screenshots "$tree/pictures"
expect 0 'convert build/screenshots/loop.png .* PNG8:docs/pictures/loop.png' screenshots --gallery
expect 0 'run.sh edit 30' fuzz
expect 0 'run.sh lexer 5' fuzz 5 lexer
expect 0 'cmake --build --preset asan --target fuzz_lexer ' fuzz 5 lexer
expect 0 'clang-format -i core/some_file.cc' format
expect 0 'clang-tidy .*core/some_file.cc' tidy
expect 0 'clang-tidy .*cli/main.cc' tidy cli/main.cc
expect 0 'git diff --name-only --diff-filter=d base ' tidy --changed
expect 0 'clang-tidy .*core/some_file.cc' tidy --changed 600
expect 0 'not checked, time is up: core/some_file.cc' tidy --changed 0
FIRST_COMMIT=1 expect 0 'no commit to compare with' tidy --changed
unset ALL_INSTALLED
expect 0 'apt-get install .*libabsl-dev' setup
expect 0 'apt-get install .*libclang-rt' fuzz
expect 0 'apt-get install .*libclang-rt' build asan
expect 0 'apt-get install .*python3-torch' bench --peers
expect 0 'apt-get install .*chromium' test
expect 0 'apt-get install .*qt6-l10n-tools' test

# in_time STATUS END: a further check ends with STATUS where the time is up at END.
in_time() {
  local status=0
  HLOSCOPE_CHECKS_END=$2 "$source_root/tests/dev/in_time.sh" 60 sh -c 'exit 3' || status=$?
  if [ "$status" -ne "$1" ]; then
    failures=$((failures + 1))
    echo "FAILED: a check whose time is up at '$2' ended with $status (expected $1)"
  fi
}
in_time 3 ''
in_time 3 $(($(date +%s) + 90))
in_time 77 $(($(date +%s) + 30))

# A name that other packages only provide would be missing, and be installed, again and again.
if command -v apt-cache >/dev/null; then
  names=$(sed -nE '/^(build|run|test|package)_packages=\(/,/\)/p' "$source_root/dev" | sed -E 's/^[a-z_]+=\(//; s/\)//')
  # shellcheck disable=SC2086  # one argument for each
  provided=$(apt-cache policy $names | awk '/^[^ ]/ { name = $1 } /Candidate: \(none\)/ { print name }')
  if [ -n "$provided" ]; then
    failures=$((failures + 1))
    echo "FAILED: not names of packages: $provided"
  fi
fi

[ "$failures" -eq 0 ] || { echo "$failures commands of ./dev fail"; exit 1; }
echo "every command of ./dev does what it says"
