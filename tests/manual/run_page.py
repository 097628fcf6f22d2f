#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes a page of the manual: python3 run_page.py [--update] PAGE FOLDER...

Fenced blocks `LANGUAGE file=NAME` are written to NAME in an empty folder, in their order in the page; the lines of `console`
blocks that begin with "$ " are executed there by one shell, with FOLDERs first in its PATH. What each prints (both
streams) must be what the page shows: a line `...` is any number of lines, "…" any text within a line. With --update the
page is rewritten with what was printed where the two differ. Exit status: 0 equal, 1 different.
"""

import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SHELL_SECONDS = 120
END = "--end of the output of one command--"


@dataclasses.dataclass
class Command:
    """One command of a page with the lines that are shown after it; `first` and `last` are their places in the page."""

    text: str
    shown: list
    first: int
    last: int


@dataclasses.dataclass
class File:
    """A block that is a file."""

    name: str
    text: str


def steps_of(lines):
    """Files and commands in the order of the page."""
    steps = []
    number = 0
    while number < len(lines):
        fence = re.match(r"(```+)(\S+)(?: file=(\S+))?\s*$", lines[number])
        number += 1
        if fence is None:
            continue
        end = number
        while end < len(lines) and lines[end] != fence.group(1):
            end += 1
        block = lines[number:end]
        if fence.group(3):
            steps.append(File(fence.group(3), "".join(line + "\n" for line in block)))
        elif fence.group(2) == "console":
            steps.extend(commands_of(block, number))
        number = end + 1
    return steps


def commands_of(block, start):
    """The commands of a console block that begins at line `start`."""
    commands = []
    number = 0
    while number < len(block):
        if not block[number].startswith("$ "):
            raise ValueError(f"line {start + number + 1}: a console block begins with a command")
        text = [block[number][2:]]
        while text[-1].endswith("\\"):
            number += 1
            text.append(block[number])
        number += 1
        first = number
        while number < len(block) and not block[number].startswith("$ "):
            number += 1
        commands.append(Command("\n".join(text), block[first:number], start + first, start + number))
    return commands


def matches(shown, printed):
    """Whether the printed lines are what the page shows."""
    parts = []
    for line in shown:
        if line == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(part) for part in line.split("…")) + r"\n")
    return re.fullmatch("".join(parts), "".join(line + "\n" for line in printed)) is not None


def execute(steps, folders):
    """What each command prints, as lines."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "PATH": os.pathsep.join([*folders, os.environ["PATH"]]),
            "HOME": folder, "LC_ALL": "C.UTF-8", "COLUMNS": "100", "QT_QPA_PLATFORM": "offscreen",
        }
        environment.update({name: os.environ[name] for name in ("HLOSCOPE_RESOURCES", "CPATH") if name in os.environ})
        script = ["exec 2>&1"]
        for number, step in enumerate(steps):
            if isinstance(step, File):
                # Written when its turn comes, so that a later block may replace a file.
                source = pathlib.Path(folder, f".file{number}")
                source.write_text(step.text, encoding="utf-8")
                script.append(f"mkdir -p \"$(dirname '{step.name}')\"; cp '{source}' '{step.name}'")
            else:
                # `$?` of the command before is what the reader would see.
                script.append(f"(exit ${{status:-0}})\n{step.text}\nstatus=$?; echo; echo '{END}'")
        shell = subprocess.run(["bash"], input="\n".join(script) + "\n", text=True, encoding="utf-8", cwd=folder,
                               env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SHELL_SECONDS,
                               check=False)
    outputs = shell.stdout.split(f"\n{END}\n")[:-1]
    return [output.replace(folder, ".").splitlines() for output in outputs]


def main(arguments):
    update = arguments[:1] == ["--update"]
    if update:
        arguments = arguments[1:]
    page = pathlib.Path(arguments[0])
    lines = page.read_text(encoding="utf-8").split("\n")
    steps = steps_of(lines)
    commands = [step for step in steps if isinstance(step, Command)]
    outputs = execute(steps, [str(pathlib.Path(folder).resolve()) for folder in arguments[1:]])
    if len(outputs) != len(commands):
        print(f"{page}: the shell ended after {len(outputs)} of {len(commands)} commands")
        return 1
    different = 0
    for command, printed in reversed(list(zip(commands, outputs))):
        if matches(command.shown, printed):
            continue
        different += 1
        print(f"{page}:{command.first}: $ {command.text}\nprinted:", *printed, "the page shows:", *command.shown, sep="\n  ")
        lines[command.first:command.last] = printed
    if update and different:
        page.write_text("\n".join(lines), encoding="utf-8")
    print(f"{page}: {len(commands)} commands, {different} differ")
    return 1 if different and not update else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
