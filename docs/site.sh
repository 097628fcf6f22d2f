#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: docs/site.sh BUILD
# Makes BUILD/site of the pages in docs and of what the commands say about themselves. Needs mkdocs.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
rm -rf "$build/docs" "$build/site"
mkdir -p "$build/docs"
./site_pages.py "$build/docs"
cp site.css "$build/docs"
{
  echo '# Commands and options'
  echo
  echo 'What `hloscope help` says, from the tables that options are read with.'
  "$build/bin/hloscope" --help | sed -nE '/^commands:/,/^$/s/^  ([a-z-]+) .*/\1/p' | while read -r command; do
    printf '\n## %s\n\n```text\n' "$command"
    "$build/bin/hloscope" help "$command"
    echo '```'
  done
} >"$build/docs/manual/commands.md"
# Folders of a site are named in its settings, relative to them.
cp mkdocs.yml "$build/mkdocs.yml"
mkdocs build --quiet --strict --config-file "$build/mkdocs.yml"
# Debian's theme brings jQuery under another name than its pages load; the menu of narrow windows needs it.
jquery=$(find "$build/site/js" -name 'jquery-*.js' | head -n 1)
grep -ohE 'js/jquery-[0-9.]+\.min\.js' "$build/site/index.html" | while read -r name; do
  [ -e "$build/site/$name" ] || cp "$jquery" "$build/site/$name"
done
