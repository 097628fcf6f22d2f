#!/usr/bin/env bash
# run.sh TARGET [SECONDS]: runs build-fuzz/bin/fuzz_TARGET for SECONDS, or for $HLOSCOPE_FUZZ_SECONDS. Inputs found earlier
# are kept in build-fuzz/corpus; examples and golden tests are the seeds. Exit status 77 if there is nothing to do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target=fuzz_$1 seconds=${2:-${HLOSCOPE_FUZZ_SECONDS:-0}}
if [ "$seconds" -eq 0 ]; then
  echo "skipped: HLOSCOPE_FUZZ_SECONDS says for how long to fuzz"
  exit 77
fi
mkdir -p "build-fuzz/corpus/$target" build-fuzz/findings
exec "build-fuzz/bin/$target" -max_total_time="$seconds" -max_len=4096 -rss_limit_mb=4096 -timeout=20 \
  -print_final_stats=1 -verbosity=0 -artifact_prefix="build-fuzz/findings/$target-" \
  "build-fuzz/corpus/$target" resources/examples tests/corpus
