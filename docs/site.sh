#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: docs/site.sh BUILD
# Makes BUILD/site of the pages in docs and of what the commands say about themselves. Needs mkdocs.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
rm -rf "$build/docs" "$build/site"
mkdir -p "$build/docs"
# Documents alone; the example of the libraries is a project of its own.
find . \( -name '*.md' -o -name '*.png' \) -exec cp --parents {} "$build/docs" \;
# Names of files after ``` are for run_page.py.
find "$build/docs/manual" -name '*.md' -exec sed -i -E 's/^(```[a-z]+) file=.*/\1/' {} +
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
mkdocs build --quiet --config-file "$build/mkdocs.yml"
