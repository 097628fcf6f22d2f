#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: site_pages_test.py

The pages that docs/site_pages.py gathers: links lead to gathered files, docs/mkdocs.yml lists every page once, and code is as it is
meant.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MADE_BY_COMMANDS = "manual/commands.md"  # docs/site.sh


def problems(out: pathlib.Path) -> list[str]:
  found = []
  for page in sorted(out.rglob("*.md")):
    name = page.relative_to(out).as_posix()
    text = page.read_text(encoding="utf-8")
    if not text.startswith("# "):
      found.append(f"{name}: does not begin with a heading")
    if re.search(r"^```[a-z]+ file=", text, re.MULTILINE):
      found.append(f"{name}: a block has the name of a file")
    prose = re.sub(r"^```+.*?^```+$|`[^`\n]+`", "", text, flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)", prose):
      if "://" not in target and not (page.parent / target).is_file():
        found.append(f"{name}: there is no {target}")
    if re.search(r"`[^`\n]*\\\|[^`\n]*`", text):
      found.append(f"{name}: code with an escaped pipe")
  listed = re.findall(r": (\S+\.md)$", (ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
  gathered = [page.relative_to(out).as_posix() for page in out.rglob("*.md")] + [MADE_BY_COMMANDS]
  for name in sorted(set(listed) | set(gathered)):
    if listed.count(name) != 1 or name not in gathered:
      found.append(f"docs/mkdocs.yml: lists {name} {listed.count(name)} times")
  return found


def main() -> int:
  with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.executable, ROOT / "docs" / "site_pages.py", folder], check=True)
    found = problems(pathlib.Path(folder))
  print("\n".join(found) or "all links and pages are there")
  return 1 if found else 0


if __name__ == "__main__":
  sys.exit(main())
