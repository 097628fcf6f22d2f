#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# document_paths_test.sh [ROOT...]: files and folders that the documents name in backquotes exist, from the top of the
# repository or from the document's folder (NAME stands for any). With several ROOTs one of them must have the path; the documents are the first's.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
roots=("${@:-$here}")
cd "${roots[0]}"

# A path, a pattern, or a path without its suffix.
exists() {
  local root suffix
  for root in "${roots[@]}"; do
    for suffix in "" .h .cc .md; do
      if compgen -G "$root/$1$suffix" >/dev/null || compgen -G "$root/$2/$1$suffix" >/dev/null; then return 0; fi
    done
  done
  return 1
}

count=0 missing=0
while IFS=: read -r document path; do
  count=$((count + 1))
  exists "$path" "$(dirname "$document")" && continue
  missing=$((missing + 1))
  echo "$document names \`$path\`, which does not exist"
done < <(grep -oHE '`[^` ]+`' README.md ./*/README.md docs/*.md docs/*/*.md | tr -d '`' | sed 's|^\./||; s|NAME|*|g' | sort -u |
  grep -E ':(core|numerics|evaluator|codegen|reports|cli|lsp|gui|memory_policy|resources|tests|cmake|docs|\.ci)/[A-Za-z0-9_./*-]+$')

# A pattern that finds nothing would make this a test that cannot fail.
[ "$count" -gt 100 ] || { echo "only $count paths found in the documents"; exit 1; }
[ "$missing" -eq 0 ] || { echo "$missing of $count paths do not exist"; exit 1; }
echo "all $count paths exist"
