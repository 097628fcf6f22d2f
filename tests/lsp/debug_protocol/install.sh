#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: install.sh FOLDER
# Installs the published types of the Debug Adapter Protocol, and what checks messages against them, from npm into FOLDER,
# beside the program that does it. Fetches nothing if they are there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
cp "$here"/{package.json,check_transcripts.mjs} "$1/"
cd "$1"
if cmp -s package.json node_modules/.installed; then exit 0; fi
# A registry that does not answer is given up soon.
npm --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=60000 --no-audit --no-fund --no-package-lock \
  --no-update-notifier --loglevel=error install --ignore-scripts
cp package.json node_modules/.installed
