#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PYTHON FOLDER: the tests of the folder; skipped where pytest or the program is missing.
set -euo pipefail
"$1" -c 'import pytest' 2>/dev/null || { echo "pytest is not installed"; exit 77; }
[ -x "$HLOSCOPE" ] || { echo "hloscope was not built"; exit 77; }
exec "$1" -m pytest -q -p no:cacheprovider "$2"
