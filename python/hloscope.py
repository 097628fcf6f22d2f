# SPDX-License-Identifier: Apache-2.0
"""HLOscope from Python: check, run, step and compare XLA HLO modules.

    import hloscope
    module = hloscope.open("model.hlo")          # or text, bytes, or anything that JAX lowers or compiles
    for diagnostic in module.check(): print(diagnostic)
    results = module.run(x, y)                   # NumPy arrays, or `Array`s without NumPy
    for step in module.step(x, y): print(step.instruction, step.value)

Standard library only; NumPy is used if it is there. The work is done by a process `hloscope serve --stdio` that lives as
long as this one; docs/serve.md describes what it answers. The program is found in $HLOSCOPE, beside this file, or on PATH.
"""

from __future__ import annotations

import ast
import atexit
import builtins
import html
import itertools
import json
import os
import queue
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import webbrowser
from typing import Any, Iterator, NamedTuple, Optional, Sequence

try:
    import numpy
except ImportError:
    numpy = None

__all__ = ["open", "passes", "show", "Module", "Array", "Diagnostic", "Step", "NanOrigin", "Comparison", "Error", "Cancelled"]


class Error(Exception):
    """What the program answered instead of a result; the message says what is wrong."""

    def __init__(self, message: str, code: int = 0):
        super().__init__(message)
        self.code = code


class Cancelled(Error):
    """The request was cancelled."""


class Array(NamedTuple):
    """An array without NumPy: `shape`, the `dtype` of .npy files such as "<f4", and `data` in row-major order."""

    shape: tuple
    dtype: str
    data: bytes

    def tolist(self) -> list:
        """The elements in row-major order, in one list."""
        code = _CODES[self.dtype[1:]]
        return list(struct.unpack(f"<{len(self.data) // struct.calcsize(code)}{code}", self.data))

    def __repr__(self) -> str:
        """The elements as nested lists, with the middle of long dimensions left out."""
        if self.dtype[1:] not in _CODES:
            return f"Array(shape={self.shape}, dtype={self.dtype!r}, {len(self.data)} bytes)"
        flat, strides = self.tolist(), [1]
        for size in reversed(self.shape[1:]):
            strides.insert(0, strides[0] * size)

        def nested(dimension: int, begin: int) -> str:
            if dimension == len(self.shape):
                return str(flat[begin])
            size, stride = self.shape[dimension], strides[dimension]
            shown = range(size) if size <= 2 * _SHOWN else (*range(_SHOWN), None, *range(size - _SHOWN, size))
            return "[" + ", ".join("..." if k is None else nested(dimension + 1, begin + k * stride) for k in shown) + "]"

        return f"Array({nested(0, 0)}, shape={self.shape}, dtype={self.dtype!r})"


class Diagnostic(NamedTuple):
    """A diagnostic: `severity` is "error", "warning", "information" or "hint"; lines and columns count from 1."""

    severity: str
    code: str
    message: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.severity}: {self.message} [{self.code}]"


class Step(NamedTuple):
    """An instruction that was executed. `value` is its array, or a tuple of the leaves of its tuple; None without values."""

    instruction: str
    computation: str
    opcode: str
    shape: str
    value: Any


class NanOrigin(NamedTuple):
    """The first instruction that made a NaN or an infinity (`kind`) although no operand has one; `path` leads to it through
    calls and iterations. `operands` are pairs of a name and a value."""

    kind: str
    instruction: str
    path: str
    value: Any
    operands: list


class Comparison(NamedTuple):
    """`equal`, and what the command said about it: `report` is its JSON, or its text where it has none."""

    equal: bool
    report: Any


# Element types of HLO that .npy files have, and the codes of `struct`.
_DTYPES = {"pred": "|b1", "s8": "|i1", "u8": "|u1", "s16": "<i2", "u16": "<u2", "s32": "<i4", "u32": "<u4", "s64": "<i8",
           "u64": "<u8", "f16": "<f2", "f32": "<f4", "f64": "<f8", "c64": "<c8", "c128": "<c16"}
_CODES = {"b1": "?", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q", "f2": "e",
          "f4": "f", "f8": "d"}


_SHOWN = 3  # elements at each end of a long dimension


def _npy(value: Any, element_type: str) -> tuple:
    """An .npy file with the array, in two pieces, so that the elements are not copied: its header and what it holds. Lists and
    numbers become elements of the type."""
    if isinstance(value, Array):
        shape, dtype, data = value
    elif isinstance(value, (list, tuple, int, float)):
        shape, dtype, data = _plain(value, _DTYPES.get(element_type, "<f4"))
    elif numpy is not None:
        values = numpy.asarray(value)
        if values.dtype.kind in "OSUMm":
            raise Error(f"{value!r:.60} is no array of numbers")
        if values.dtype.kind == "V" or values.dtype.name not in numpy.sctypeDict:
            # bfloat16 and the like of ml_dtypes: raw bits, as docs/cli.md says.
            values = values.view(f"u{values.dtype.itemsize}")
        values = numpy.ascontiguousarray(values).reshape(values.shape)
        shape, dtype, data = values.shape, values.dtype.str, values.reshape(-1).view("u1").data
    else:
        raise Error(f"a {type(value).__name__} is no array: give a list, an Array, or install NumPy")
    header = repr({"descr": dtype, "fortran_order": False, "shape": tuple(shape)}).encode("latin1")
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header, data


def _plain(value: Any, dtype: str) -> tuple:
    """Shape, type and bytes of a number or nested lists of them."""
    shape, flat = [], [value]
    while flat and isinstance(flat[0], (list, tuple)):
        size = len(flat[0])
        if any(not isinstance(part, (list, tuple)) or len(part) != size for part in flat):
            raise Error("the lists of an array differ in length")
        shape.append(size)
        flat = list(itertools.chain.from_iterable(flat))
    code = _CODES.get(dtype[1:])
    if code is None:
        raise Error("complex numbers need NumPy or an Array")
    try:
        return shape, dtype, struct.pack(f"<{len(flat)}{code}", *flat)
    except struct.error as problem:
        raise Error(f"an element does not fit {dtype}: {problem}") from None


def _from_npy(data: bytearray) -> Any:
    """The array of an .npy file: of NumPy if it is there, on the same bytes, else an `Array`."""
    size = struct.unpack("<H", data[8:10])[0] if data[6] == 1 else struct.unpack("<I", data[8:12])[0]
    begin = 10 if data[6] == 1 else 12
    header = ast.literal_eval(data[begin:begin + size].decode("latin1"))
    if numpy is None:
        return Array(header["shape"], header["descr"], bytes(memoryview(data)[begin + size:]))
    return numpy.frombuffer(data, dtype=header["descr"], offset=begin + size).reshape(header["shape"])


class _Server:
    """The process, and one request at a time on its pipes."""

    def __init__(self) -> None:
        program = os.environ.get("HLOSCOPE") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "hloscope")
        if not os.path.exists(program):
            program = shutil.which("hloscope") or ""
        if not program:
            raise Error("there is no program `hloscope` on PATH, nor in $HLOSCOPE")
        self.program = program
        self.lock = threading.Lock()
        self.numbers = itertools.count(1)
        self.process = subprocess.Popen([program, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.is_lost = False  # nothing more can be asked
        # Answers and their frames; None at the end. An interrupt, which reaches the main thread alone, can come in the middle of
        # waiting for one, but not of reading it.
        self.answers: queue.SimpleQueue = queue.SimpleQueue()
        threading.Thread(target=self._read, name="hloscope answers", daemon=True).start()
        atexit.register(self.stop)

    def stop(self) -> None:
        if not self.has_ended():
            self.process.stdin.close()
            self.process.wait()

    def has_ended(self) -> bool:
        return self.is_lost or self.process.poll() is not None

    def _lose(self) -> Error:
        """Ends the process: nobody knows where its next message begins. The error that says how it ended."""
        self.is_lost = True
        try:
            status = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        how = f"by signal {-status}" if status < 0 else f"with status {status}"
        return Error(f"hloscope has ended {how}; modules are opened again when they are used")

    def _write(self, message: dict, frames: Sequence[tuple]) -> None:
        if frames:
            message["frames"] = [sum(map(len, pieces)) for pieces in frames]
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        for piece in itertools.chain.from_iterable(frames):
            self.process.stdin.write(piece)
        self.process.stdin.flush()

    def _read(self) -> None:
        """Reads messages, lines with the frames that follow them, until the program has ended."""
        output = self.process.stdout
        try:
            while line := output.readline():
                message = json.loads(line)
                frames = [bytearray(size) for size in message.get("frames", [])]
                if any(output.readinto(frame) != len(frame) for frame in frames):
                    break
                self.answers.put((message, frames))
        except (OSError, ValueError, MemoryError):  # ValueError: no message, or a pipe closed as the interpreter ends
            pass
        self.answers.put(None)

    def _answer_to(self, number: int) -> tuple:
        """The message with this number, and its frames. Those before it answer requests that nobody waits for any more."""
        while True:
            answer = self.answers.get()
            if answer is None:
                raise EOFError
            if answer[0].get("id") in (number, None):
                return answer

    def call(self, method: str, frames: Sequence[tuple] = (), **params: Any) -> tuple:
        """The result of a method and its frames. `frames` are tuples of pieces of bytes. An interrupt cancels what is being
        computed, and so do further ones."""
        with self.lock:
            number = next(self.numbers)
            params = {name: value for name, value in params.items() if value is not None}
            is_whole = False  # what is written to the program
            try:
                self._write({"jsonrpc": "2.0", "id": number, "method": method, "params": params}, frames)
                is_whole = True
                message, answer = self._answer_to(number)
            except (OSError, EOFError, ValueError):  # ValueError: a pipe closed as the interpreter ends
                raise self._lose() from None
            except KeyboardInterrupt:
                try:
                    if is_whole:
                        is_whole = False
                        self._write({"jsonrpc": "2.0", "method": "cancel", "params": {"id": number}}, ())
                        is_whole = True
                except (OSError, ValueError):
                    pass
                finally:
                    if not is_whole:  # it is in the middle of a message
                        self.process.kill()
                        self._lose()
                raise
        if "error" in message:
            code = message["error"]["code"]
            raise (Cancelled if code == -32800 else Error)(message["error"]["message"], code)
        return message["result"], answer


_server: Optional[_Server] = None
_server_lock = threading.Lock()


def _running() -> _Server:
    global _server
    with _server_lock:
        if _server is None or _server.has_ended():
            _server = _Server()
        return _server


def _text_of(source: Any) -> Any:
    """Text or bytes of what lowers or compiles: tried in order, without importing anything."""
    for name in ("as_text", "as_hlo_text", "mlir_module", "to_string", "as_serialized_hlo_module_proto", "serialize"):
        method = getattr(source, name, None)
        if callable(method):
            try:
                text = method()
            except TypeError:
                continue
            if isinstance(text, (str, bytes, bytearray)):
                return text
    method = getattr(source, "compiler_ir", None)
    if callable(method):
        return str(method())
    raise Error(f"an object of type {type(source).__name__} is no path, text or module: it has no as_text(), compiler_ir() or "
                "serialize()")


class Module:
    """A module that is open in the program. `name`, `parameters` (pairs of a name and a shape) and `ok` say what it is. Where
    the program has ended, the next use starts it again and opens the module from its path, or from what was given."""

    def __init__(self, frames: Sequence[tuple], **params: Any):
        self._source = frames, params
        self._open()

    def _open(self) -> None:
        frames, params = self._source
        self._server = _running()
        opened, _ = self._server.call("open", frames, **params)
        self._handle = opened["handle"]
        self.name: str = opened["name"]
        self.ok: bool = opened["ok"]
        self.parameters = [(parameter["name"], parameter["shape"]) for parameter in opened["parameters"]]
        self.result_shape: Optional[str] = opened.get("result")
        self.instructions: int = opened["instructions"]

    def _call(self, method: str, frames: Sequence[tuple] = (), **params: Any) -> tuple:
        handle = self._handle_now()  # before the server is looked up: it may be another one then
        return self._server.call(method, frames, handle=handle, **params)

    def _handle_now(self) -> int:
        """What the program knows the module by."""
        if self._server.has_ended():
            self._open()
        return self._handle

    def __repr__(self) -> str:
        return f"<hloscope.Module {self.name}: {self.instructions} instructions>"

    def __del__(self) -> None:
        # Not where the interpreter ends, and not in the middle of another request.
        server = getattr(self, "_server", None)
        if server is not None and not server.has_ended() and not sys.is_finalizing():
            threading.Thread(target=self._close, daemon=True).start()

    def _close(self) -> None:
        try:
            self._server.call("close", handle=self._handle)
        except Error:
            pass

    def check(self) -> list:
        """The diagnostics, sorted by position; empty if there is nothing to say."""
        result, _ = self._call("check")
        diagnostics = []
        for one in result["diagnostics"]:
            begin = one["range"]["begin"]
            diagnostics.append(Diagnostic(one["severity"], one["code"], one["message"], begin["line"], begin["column"]))
        return diagnostics

    def text(self) -> str:
        """The module as HLO text: as it was opened, or what was made of a proto or program."""
        return self._call("text")[0]["text"]

    def run(self, *arrays: Any, fill: Optional[str] = None, seed: Optional[int] = None, replicas: Optional[int] = None,
            partitions: Optional[int] = None, threads: Optional[int] = None, memory_limit: Optional[str] = None,
            time_limit: Optional[float] = None) -> Any:
        """Evaluates the entry computation.

        `arrays` are the leaves of the parameters in order (None: made up by `fill`); without any, what was recorded with a
        snapshot, or `fill` ("zeros", "ones", "iota", "random", ...) for all. Returns the array of the result, or the tuple of
        its leaves; with several devices a list of these. Types that NumPy lacks are raw bits in unsigned integers.
        Raises Error for wrong shapes, limits and runs that fail."""
        result, frames = self._execute("run", arrays, fill=fill, seed=seed, replicas=replicas, partitions=partitions,
                                       threads=threads, memory_limit=memory_limit, time_limit=time_limit)
        devices = [_value(device, frames) for device in result["devices"]]
        return devices[0] if len(devices) == 1 else devices

    def _execute(self, method: str, arrays: Sequence[Any], **params: Any) -> tuple:
        frames, numbers = [], []
        types = re.findall(r"([a-z][a-z0-9]*)\[", " ".join(shape for _, shape in self.parameters))
        for number, value in enumerate(arrays):
            numbers.append(None if value is None else len(frames))
            if value is not None:
                frames.append(_npy(value, types[number] if number < len(types) else ""))
        return self._call(method, frames, arguments=numbers or None, **params)

    def step(self, *arrays: Any, into: bool = True, values: bool = True, fill: Optional[str] = None,
             seed: Optional[int] = None, batch: int = 1) -> Iterator[Step]:
        """Executes one instruction after the other and yields each with its value. `into`: also those of called computations,
        iteration by iteration; `batch`: how many are executed at once, for speed."""
        run = self._execute("start", arrays, into=into, fill=fill, seed=seed)[0]["run"]
        server = self._server
        try:
            finished = False
            while not finished:
                result, frames = server.call("next", run=run, count=batch, values=values)
                finished = result["finished"]
                for step in result["steps"]:
                    value = _value(step["value"], frames) if values else None
                    yield Step(step["instruction"], step["computation"], step["opcode"], step["shape"], value)
        finally:
            try:
                server.call("close", run=run)
            except Error:
                pass  # the program has ended, and the run with it

    def nan_origin(self, *arrays: Any, fill: Optional[str] = None, seed: Optional[int] = None) -> Optional[NanOrigin]:
        """The first instruction that makes a NaN or an infinity; None if there is none."""
        result, frames = self._execute("nan_origin", arrays, fill=fill, seed=seed)
        if not result["found"]:
            return None
        operands = [(one["instruction"], _value(one["value"], frames)) for one in result["operands"]]
        return NanOrigin(result["kind"], result["instruction"], result["path"], _value(result["value"], frames), operands)

    def cost(self) -> dict:
        """What `hloscope cost --json` prints: operations and bytes, by scope and instruction, and the schedule's memory."""
        return self._call("cost")[0]

    def command(self, name: str, *arguments: Any) -> tuple:
        """Runs any command of the program on this module: its exit status, output and messages. A Module among the arguments
        stands for its file; this one comes first."""
        words = [name, f"@{self._handle_now()}"]
        words += [f"@{one._handle_now()}" if isinstance(one, Module) else str(one) for one in arguments]
        result, _ = self._server.call("command", arguments=words)
        return result["exit_status"], result["output"], result["errors"]

    def _json(self, name: str, *arguments: Any) -> tuple:
        status, output, errors = self.command(name, *arguments, "--json")
        try:
            return status, json.loads(output)
        except ValueError:
            raise Error(errors.strip() or f"hloscope {name} ended with {status}") from None

    def memory(self) -> dict:
        """What `hloscope memory --json` prints."""
        return self._json("memory")[1]

    def diff(self, other: Any) -> Comparison:
        """What changed from this module to the other one."""
        status, report = self._json("diff", open(other))
        return Comparison(status == 0, report)

    def compare(self, other: Any, *arrays: Any, fill: str = "random", seed: int = 0) -> Comparison:
        """Runs both on the same inputs: `arrays`, the leaves of the parameters in order, and what `fill` makes up for None
        and for those that are not given. The report says where their values part."""
        with tempfile.TemporaryDirectory() as folder:
            options = [f"--fill={fill}", f"--seed={seed}"]
            leaves = [leaf for number, (_, shape) in enumerate(self.parameters) for leaf in _leaves(shape, str(number))]
            if len(arrays) > len(leaves):
                raise Error(f"{len(arrays)} arrays are given, the parameters have {len(leaves)} leaves")
            for (place, element_type), value in zip(leaves, arrays):
                if value is None:
                    continue
                path = os.path.join(folder, f"{place}.npy")
                with builtins.open(path, "wb") as file:
                    file.writelines(_npy(value, element_type))
                options.append(f"--arg={place}={path}")
            status, report = self._json("compare", open(other), *options)
            return Comparison(status == 0, report)

    def html(self, path: str, command: str = "cost", *arguments: str) -> str:
        """Writes a report as one file: of "cost", "graph", "memory", "value" with "--fill=random" ... Returns the path."""
        status, _, errors = self.command(command, *arguments, f"--html={path}")
        if status != 0 or not os.path.exists(path):
            raise Error(errors.strip() or f"hloscope {command} ended with {status}")
        return path

    def svg(self, *options: str) -> str:
        """The entry computation as a picture; options are those of `hloscope graph`."""
        status, output, errors = self.command("graph", "--format=svg", *options)
        if status != 0:
            raise Error(errors.strip())
        return output

    def _repr_html_(self) -> str:
        """For notebooks: a table of what the module is, and its diagnostics. No scripts, nothing from elsewhere."""
        rows = [("name", self.name), ("instructions", str(self.instructions))]
        rows += [(f"parameter {number}", f"{name}: {shape}") for number, (name, shape) in enumerate(self.parameters)]
        rows += [("result", self.result_shape or "none")]
        rows += [(one.severity, str(one)) for one in self.check()[:20]]
        cells = "".join(f"<tr><th style='text-align:left'>{html.escape(title)}</th>"
                        f"<td style='text-align:left'><code>{html.escape(text)}</code></td></tr>" for title, text in rows)
        return f"<table>{cells}</table>"


def _leaves(shape: str, place: str) -> list:
    """The arrays of a shape as HLO writes it: pairs of "PARAMETER.INDEX..." and an element type."""
    if not shape.startswith("("):
        return [(place, shape.split("[")[0])] if "[" in shape else []
    elements, depth, begin = [], 0, 1
    for at, letter in enumerate(shape):
        depth += (letter in "([{") - (letter in ")]}")
        if (letter == "," and depth == 1) or depth == 0:
            elements.append(shape[begin:at].strip())
            begin = at + 1
            if depth == 0:
                break
    return [leaf for number, element in enumerate(elements) if element for leaf in _leaves(element, f"{place}.{number}")]


def _value(arrays: list, frames: Sequence[bytearray]) -> Any:
    values = tuple(_from_npy(frames[one["frame"]]) for one in arrays)
    return values[0] if len(values) == 1 else values


def open(source: Any, module: Any = None, name: Optional[str] = None) -> Module:  # noqa: A001 - named as users think of it
    """Opens a module.

    `source` is a path, HLO or StableHLO text, the bytes of a proto, snapshot or portable artifact, a Module, or an object
    with a habit of JAX's: `as_text()`, `compiler_ir()`, `serialize()` and the like. `module` chooses by name or number where
    a file holds several. Raises Error if it cannot be read; a module with mistakes opens, `check` lists them."""
    if isinstance(source, Module):
        return source
    chosen = None if module is None else str(module)
    if isinstance(source, os.PathLike):
        source = os.fspath(source)
    if not isinstance(source, (str, bytes, bytearray)):
        source = _text_of(source)
    if isinstance(source, str) and "\n" not in source and os.path.exists(source):
        if os.path.isdir(source):
            raise Error(f"{source} is a folder: open one of its files; passes() and show() take the folder of a dump")
        return Module((), path=os.path.abspath(source), module=chosen)
    if isinstance(source, str) and "\n" not in source and "{" not in source and "(" not in source:
        raise Error(f"there is no file {source}")
    data = source.encode() if isinstance(source, str) else bytes(source)
    return Module([(data,)], frame=0, name=name or "<module>", module=chosen)


def passes(folder: Any) -> dict:
    """What each pass changed in the module of a folder of dumps: what `hloscope passes --json` prints."""
    result, _ = _running().call("command", arguments=["passes", os.path.abspath(folder), "--json"])
    if result["exit_status"] != 0:
        raise Error(result["errors"].strip())
    return json.loads(result["output"])


def show(source: Any) -> None:
    """Opens a module, or the folder of a dump, in the app if it is installed, else a report of it in a browser."""
    path = os.path.abspath(source) if isinstance(source, (str, os.PathLike)) and os.path.exists(source) else None
    is_folder = path is not None and os.path.isdir(path)
    module = None if is_folder else open(source)
    app = os.path.join(os.path.dirname(_running().program), "hloscope-gui")
    folder = tempfile.mkdtemp(prefix="hloscope-")
    if os.path.exists(app) and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        if path is None:
            path = os.path.join(folder, "module.hlo")
            with builtins.open(path, "w", encoding="utf-8") as file:
                file.write(module.text())
        subprocess.Popen([app, path])
        return
    report = os.path.join(folder, "report.html")
    if is_folder:
        result, _ = _running().call("command", arguments=["passes", path, f"--html={report}"])
        if not os.path.exists(report):
            raise Error(result["errors"].strip())
    else:
        module.html(report)
    webbrowser.open("file://" + report)
