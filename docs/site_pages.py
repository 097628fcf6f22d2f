#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: docs/site_pages.py OUT

Gathers the pages of the site (docs/site.sh) and the pictures that they show in the folder OUT. Links between pages lead to
the gathered ones; a link to anything else in the repository becomes its text.
"""

import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Pages outside of docs, and where they are in the site.
ELSEWHERE = {
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "THIRD_PARTY.md": "third-party.md",
    "lsp/vscode/README.md": "editors/vscode.md",
    "python/README.md": "python.md",
}

# The page of these files is one section of them.
SECTIONS = {"README.md": ("Gallery", "gallery.md")}

# All files of a folder on one page, and what it is called.
FOLDERS = {
    "resources/ops": ("Operations, one by one", "operations.md"),
    "resources/diagnostics": ("Diagnostics, one by one", "diagnostics.md"),
}

LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]*)(#[^)\s]*)?\)")
CODE = re.compile(r"(^```+.*?^```+$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)


def pages() -> dict[pathlib.Path, pathlib.Path]:
  """Files of the repository, by their place in the site."""
  result = {ROOT / source: pathlib.Path(target) for source, target in ELSEWHERE.items()}
  result.update({ROOT / source: pathlib.Path(target) for source, (_, target) in (SECTIONS | FOLDERS).items()})
  for folder, place in ((ROOT / "docs", ""), (ROOT / "lsp" / "editors", "editors")):
    for source in sorted(folder.rglob("*.md")):
      result[source] = place / source.relative_to(folder)
  return result


def text_of(source: pathlib.Path) -> str:
  name = source.relative_to(ROOT).as_posix()
  if name in FOLDERS:
    files = [file.read_text(encoding="utf-8") for file in sorted(source.glob("*.md"))]
    text = re.sub(r"^## ([A-Z][a-z ]+)$", r"**\1**", "\n".join(files), flags=re.MULTILINE)
    text = re.sub(r"^# ", "## ", text, flags=re.MULTILINE)
    return f"# {FOLDERS[name][0]}\n\nWhat `hloscope explain NAME` prints.\n\n{text}"
  text = source.read_text(encoding="utf-8")
  section, _ = SECTIONS.get(name, (None, None))
  if section is None:
    return text
  return "# " + section + re.search(rf"^## {section}$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL).group(1)


def unescaped(code: str) -> str:
  """In tables GitHub wants `a\\|b` in code; mkdocs shows the backslash."""
  return code if code.startswith("```") else code.replace("\\|", "|")


def gather(out: pathlib.Path) -> None:
  places = pages()
  for source, place in places.items():

    def lead(match: re.Match) -> str:
      is_picture, text, path, part = match.group(1), match.group(2), match.group(3), match.group(4) or ""
      if not path or "://" in path:
        return match.group(0)
      target = (source.parent / path).resolve()
      if target.is_dir() and target not in places and target / "README.md" in places:
        target /= "README.md"
      if target in places:
        to = places[target]
      elif is_picture:
        to = pathlib.Path("pictures") / target.name
        (out / to).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(target, out / to)
      else:
        return text
      up = [".."] * len(place.parent.parts)
      return f"{is_picture}[{text}]({pathlib.PurePosixPath(*up, to)}{part})"

    parts = CODE.split(text_of(source))
    text = "".join(unescaped(part) if index % 2 else LINK.sub(lead, part) for index, part in enumerate(parts))
    text = re.sub(r"^(```[a-z]+) file=.*", r"\1", text, flags=re.MULTILINE)  # Names of files are for run_page.py.
    (out / place).parent.mkdir(parents=True, exist_ok=True)
    (out / place).write_text(text, encoding="utf-8")


if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit(__doc__)
  gather(pathlib.Path(sys.argv[1]))
