#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# in_time.sh SECONDS COMMAND...: runs COMMAND, which may take SECONDS. Exit status 77, and why, if they are not left until
# $HLOSCOPE_CHECKS_END (seconds since 1970), which `./dev test --ci` sets; without it there is always time.
set -euo pipefail
if [ -n "${HLOSCOPE_CHECKS_END:-}" ] && [ $(($(date +%s) + $1)) -gt "$HLOSCOPE_CHECKS_END" ]; then
  echo "skipped: less than $1 seconds are left for further checks"
  exit 77
fi
exec "${@:2}"
