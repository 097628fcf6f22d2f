#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh TARGET [SECONDS]: runs build-asan/bin/fuzz_TARGET for SECONDS, or for $HLOSCOPE_FUZZ_SECONDS. Inputs found earlier
# are kept in build-asan/corpus; examples and golden tests are the seeds. Exit status 77 if there is nothing to do.
# The short run among the tests begins with the same seed each time, so that what it finds is the change's; with SECONDS
# each run takes another way.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target=fuzz_$1 seconds=${2:-${HLOSCOPE_FUZZ_SECONDS:-0}}
if [ "$seconds" -eq 0 ]; then
  echo "skipped: HLOSCOPE_FUZZ_SECONDS says for how long to fuzz"
  exit 77
fi
seed=1
[ $# -lt 2 ] || seed=0  # the fuzzer chooses
mkdir -p "build-asan/corpus/$target" build-asan/findings
exec "build-asan/bin/$target" -seed="$seed" -max_total_time="$seconds" -max_len=4096 -rss_limit_mb=4096 -timeout=20 \
  -print_final_stats=1 -verbosity=0 -artifact_prefix="build-asan/findings/$target-" \
  "build-asan/corpus/$target" resources/examples tests/corpus
