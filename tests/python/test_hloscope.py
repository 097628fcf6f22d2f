# SPDX-License-Identifier: Apache-2.0
"""The client against the real program."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import hloscope

numpy = pytest.importorskip("numpy")

ADD = """HloModule adder
ENTRY main {
  x = f32[3] parameter(0)
  y = f32[3] parameter(1)
  ROOT sum = f32[3] add(x, y)
}
"""

LOOP = """HloModule loop
body { s = (s32[], f32[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  v = f32[2] get-tuple-element(s), index=1
  one = s32[] constant(1)
  n = s32[] add(i, one)
  w = f32[2] add(v, v)
  ROOT t = (s32[], f32[2]) tuple(n, w) }
condition { s = (s32[], f32[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  three = s32[] constant(3)
  ROOT less = pred[] compare(i, three), direction=LT }
ENTRY main { x = f32[2] parameter(0)
  zero = s32[] constant(0)
  start = (s32[], f32[2]) tuple(zero, x)
  end = (s32[], f32[2]) while(start), condition=condition, body=body
  ROOT r = f32[2] get-tuple-element(end), index=1 }
"""

ENDLESS = """HloModule endless
body { s = (s32[], f32[64,64]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  m = f32[64,64] get-tuple-element(s), index=1
  p = f32[64,64] dot(m, m), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  one = s32[] constant(1)
  n = s32[] add(i, one)
  ROOT t = (s32[], f32[64,64]) tuple(n, p) }
condition { s = (s32[], f32[64,64]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  limit = s32[] constant(2000000000)
  ROOT less = pred[] compare(i, limit), direction=LT }
ENTRY main { x = f32[64,64] parameter(0)
  zero = s32[] constant(0)
  start = (s32[], f32[64,64]) tuple(zero, x)
  ROOT end = (s32[], f32[64,64]) while(start), condition=condition, body=body }
"""


def test_opens_checks_and_runs():
    module = hloscope.open(ADD)
    assert module.name == "adder"
    assert module.parameters == [("x", "f32[3]{0}"), ("y", "f32[3]{0}")] or module.parameters[0][0] == "x"
    assert module.check() == []
    x = numpy.arange(3, dtype=numpy.float32)
    numpy.testing.assert_array_equal(module.run(x, x + 1), 2 * x + 1)
    assert module.text() == ADD
    assert module.cost()


def test_lists_and_made_up_arguments():
    module = hloscope.open(ADD)
    assert module.run([1.0, 2.0, 3.0], None, fill="ones").tolist() == [2.0, 3.0, 4.0]
    assert module.run(fill="iota").tolist() == [0.0, 2.0, 4.0]


def test_mistakes_are_diagnostics_and_errors():
    broken = hloscope.open(ADD.replace("add(x, y)", "add(x, z)"))
    assert not broken.ok
    (diagnostic,) = broken.check()
    assert (diagnostic.severity, diagnostic.line) == ("error", 5)
    with pytest.raises(hloscope.Error, match="has errors"):
        broken.run(fill="ones")
    module = hloscope.open(ADD)
    for arrays, message in [(([1.0],) * 2, "dimensions \\[1\\]"), (([1.0, 2.0, 3.0],), "parameter 1 \\(y\\) needs an array f32\\[3\\]"),
                            (([1.0, 2.0, 3.0],) * 3, "there are 2 leaves")]:
        with pytest.raises(hloscope.Error, match=message):
            module.run(*arrays)
    with pytest.raises(hloscope.Error, match="no file"):
        hloscope.open("no_such_file.hlo")
    with pytest.raises(hloscope.Error, match="as_text"):
        hloscope.open(3)
    with pytest.raises(hloscope.Error, match="no array of numbers"):
        module.run("one", "two")


def test_steps_with_values():
    steps = list(hloscope.open(LOOP).step([1.0, 2.0]))
    doubled = [step.value.tolist() for step in steps if step.instruction == "w"]
    assert doubled == [[2.0, 4.0], [4.0, 8.0], [8.0, 16.0]]
    assert steps[-1].instruction == "r" and steps[-1].value.tolist() == [8.0, 16.0]
    outside = [step.instruction for step in hloscope.open(LOOP).step([1.0, 2.0], into=False, batch=7, values=False)]
    assert "w" not in outside and outside[-1] == "r"


def test_nan_origin():
    text = ADD.replace("ROOT sum = f32[3] add(x, y)", "d = f32[3] divide(x, y)\n  ROOT sum = f32[3] add(d, d)")
    origin = hloscope.open(text).nan_origin([0.0, 1.0, 2.0], [0.0, 1.0, 1.0])
    assert (origin.kind, origin.instruction) == ("nan", "d")
    assert origin.operands[0][0] == "x" and origin.operands[0][1].tolist() == [0.0, 1.0, 2.0]
    assert hloscope.open(text).nan_origin([0.0, 1.0, 2.0], [1.0, 1.0, 1.0]) is None


def test_what_jax_has():
    class Lowered:
        def as_text(self):
            return ("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                    "  %0 = stablehlo.add %x, %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n")

    assert hloscope.open(Lowered()).run([1.0, 2.0]).tolist() == [2.0, 4.0]


def test_two_modules():
    module = hloscope.open(ADD)
    assert module.diff(ADD.replace("sum", "total")).equal
    changed = module.diff(ADD.replace("add(x", "multiply(x"))
    assert not changed.equal and changed.report["computations"]
    assert module.compare(ADD).equal
    assert not module.compare(ADD.replace("add(x", "multiply(x")).equal
    multiplied = ADD.replace("add(x", "multiply(x")
    assert module.compare(multiplied, [2.0, 0.0, 2.0], [2.0, 0.0, 2.0]).equal
    assert not module.compare(multiplied, [2.0, 0.0, 2.0], [2.0, 0.0, 3.0]).equal
    assert not module.compare(multiplied, None, [2.0, 0.0, 2.0]).equal
    with pytest.raises(hloscope.Error, match="3 arrays are given, the parameters have 2 leaves"):
        module.compare(multiplied, [1.0], [1.0], [1.0])
    assert module.command("fmt", "--style=short")[1].startswith("HloModule adder")
    assert module.command("fmt", "--no-such-option")[0] == 2


def test_compare_with_leaves_of_tuples():
    text = ("HloModule m\nENTRY e {\n  p = (f32[2]{0}, (s32[], f32[2]{0})) parameter(0)\n"
            "  a = f32[2] get-tuple-element(p), index=0\n  q = (s32[], f32[2]) get-tuple-element(p), index=1\n"
            "  b = f32[2] get-tuple-element(q), index=1\n  ROOT r = f32[2] subtract(a, b)\n}\n")
    other = text.replace("subtract(a, b)", "subtract(b, a)")
    assert hloscope.open(text).compare(other, [1.0, 2.0], 7, [1.0, 2.0]).equal
    assert not hloscope.open(text).compare(other, [1.0, 2.0], 7, [1.0, 2.5]).equal


def test_arrays_without_numpy_show_their_elements():
    array = hloscope.Array((2, 3), "<i4", b"".join(k.to_bytes(4, "little") for k in range(6)))
    assert repr(array) == "Array([[0, 1, 2], [3, 4, 5]], shape=(2, 3), dtype='<i4')"
    assert repr(hloscope.Array((100,), "|u1", bytes(range(100)))).startswith("Array([0, 1, 2, ..., 97, 98, 99], ")
    assert repr(hloscope.Array((), "<f4", b"\0\0\x80?")) == "Array(1.0, shape=(), dtype='<f4')"
    assert repr(hloscope.Array((1,), "<c8", bytes(8))) == "Array(shape=(1,), dtype='<c8', 8 bytes)"
    assert repr(hloscope.Array((0, 2), "<f4", b"")) == "Array([], shape=(0, 2), dtype='<f4')"


def test_notebooks_show_names_as_text():
    broken = hloscope.open(ADD.replace("add(x, y)", "add(x, <b>)"))
    assert "<b>" not in broken._repr_html_() and "&lt;" in broken._repr_html_()
    module = hloscope.open(ADD)
    assert "adder" in module._repr_html_()
    assert "<svg" in module.svg()


def test_memory_and_reports(tmp_path):
    module = hloscope.open(ADD)
    assert module.memory()["peak_bytes"] == 36
    path = module.html(str(tmp_path / "report.html"))
    with open(path, encoding="utf-8") as file:
        assert "adder" in file.read()
    with pytest.raises(hloscope.Error):
        module.html(str(tmp_path / "none" / "report.html"))
    assert module.html(str(tmp_path / "value.html"), "value", "--fill=ones")


def test_a_module_outlives_the_program():
    module, other = hloscope.open(ADD), hloscope.open(ADD.replace("add(x", "multiply(x"))
    for _ in range(2):
        # It ends while a request waits for its answer.
        program = module._server.process
        program.send_signal(signal.SIGSTOP)
        threading.Timer(0.3, program.kill).start()
        with pytest.raises(hloscope.Error, match="ended by signal 9"):
            module.run([1.0, 2.0, 3.0], [1.0, 1.0, 1.0])
        assert module.run([1.0, 2.0, 3.0], [1.0, 1.0, 1.0]).tolist() == [2.0, 3.0, 4.0]
    assert not module.compare(other).equal
    steps = module.step([1.0, 2.0, 3.0], [1.0, 1.0, 1.0])
    module._server.process.kill()
    module._server.process.wait()
    assert [step.instruction for step in steps] == ["sum"]


def test_large_arrays_of_any_layout():
    count = 3_000_001
    module = hloscope.open(f"HloModule m\nENTRY e {{\n  x = f32[{count}] parameter(0)\n  ROOT y = f32[{count}] negate(x)\n}}\n")
    x = numpy.arange(count, dtype=numpy.float32)
    result = module.run(x)
    numpy.testing.assert_array_equal(result, -x)
    result[0] = 1  # of the caller
    numpy.testing.assert_array_equal(module.run(numpy.repeat(x, 2)[::2].astype(">f4")), -x)


def test_folders_of_dumps(tmp_path, monkeypatch):
    (tmp_path / "module_0001.m.before_optimizations.txt").write_text(ADD.replace("adder", "m"))
    (tmp_path / "module_0001.m.cpu_after_optimizations.txt").write_text(ADD.replace("adder", "m").replace("add(", "multiply("))
    with pytest.raises(hloscope.Error, match="is a folder"):
        hloscope.open(tmp_path)
    stages = hloscope.passes(tmp_path)["stages"]
    assert [stage["changed"] for stage in stages] == [False, True]
    with pytest.raises(hloscope.Error, match="no such directory"):
        hloscope.passes(tmp_path / "none")
    shown = []
    monkeypatch.setattr(hloscope.webbrowser, "open", shown.append)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    for source in (tmp_path, str(tmp_path), ADD):
        hloscope.show(source)
        assert os.path.getsize(shown[-1][len("file://"):]) > 1000


def test_steps_that_are_given_up_end_quietly():
    code = ("import hloscope, sys\nsteps = hloscope.open(sys.argv[1]).step([1.0, 2.0])\nprint(next(steps).instruction)")
    done = subprocess.run([sys.executable, "-c", code, LOOP], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == "" and done.stdout.strip()


def test_without_numpy(monkeypatch):
    monkeypatch.setattr(hloscope, "numpy", None)
    result = hloscope.open(ADD).run([1.0, 2.0, 3.0], [1.0, 1.0, 1.0])
    assert result.shape == (3,) and result.tolist() == [2.0, 3.0, 4.0]


class Raw:
    """The protocol itself."""

    def __init__(self):
        self.process = subprocess.Popen([os.environ["HLOSCOPE"], "serve", "--stdio"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)

    def send(self, message):
        self.process.stdin.write(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def read(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, method, number=1, **params):
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return self.read()


def test_nonsense_gets_errors_and_the_next_request_an_answer():
    raw = Raw()
    for nonsense, code in [(b"{]\n", -32700), (b"[]\n", -32700), (b'{"id": 1}\n', -32600),
                           (b'{"id": 1, "method": "none"}\n', -32601), (b'{"id": 1, "method": "run", "params": []}\n', -32602),
                           (b'{"id": 1, "method": "run", "params": {"handle": 77}}\n', -32602),
                           (b'{"id": 1, "method": "open", "params": {"frame": 0}}\n', -32602),
                           (b'{"id": 1, "method": "open", "frames": "x"}\n', -32700)]:
        raw.send(nonsense)
        assert raw.read()["error"]["code"] == code, nonsense
    assert "open" in raw.ask("version")["result"]["methods"]
    assert raw.ask("shutdown")["result"] == {}
    assert raw.process.wait(timeout=10) == 0


def test_frames_with_headers_as_the_language_server_protocol_has_them():
    raw = Raw()
    body = json.dumps({"jsonrpc": "2.0", "id": "a", "method": "version"}).encode()
    raw.send(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    header = raw.process.stdout.readline()
    assert raw.process.stdout.readline() == b"\r\n"
    assert json.loads(raw.process.stdout.read(int(header.split(b":")[1])))["id"] == "a"
    raw.process.stdin.close()
    assert raw.process.wait(timeout=10) == 0


def test_what_is_computed_can_be_cancelled():
    raw = Raw()
    handle = raw.ask("open", text=ENDLESS)["result"]["handle"]
    raw.send({"jsonrpc": "2.0", "id": 5, "method": "run", "params": {"handle": handle, "fill": "zeros"}})
    raw.send({"jsonrpc": "2.0", "id": 6, "method": "run", "params": {"handle": handle, "fill": "zeros"}})
    raw.send({"jsonrpc": "2.0", "method": "cancel", "params": {"id": 6}})
    time.sleep(0.2)
    raw.send({"jsonrpc": "2.0", "method": "cancel", "params": {"id": 5}})
    assert [(answer["id"], answer["error"]["code"]) for answer in (raw.read(), raw.read())] == [(5, -32800), (6, -32800)]
    assert raw.ask("check", handle=handle)["result"]["ok"]
    limited = raw.ask("run", handle=handle, fill="zeros", step_limit=1000)
    assert limited["error"]["code"] == -32001
    # Requests are answered although no more will come.
    piped = subprocess.run([os.environ["HLOSCOPE"], "serve", "--stdio"], capture_output=True, timeout=30,
                           input=b'{"id": 1, "method": "version"}\n' * 3)
    assert piped.returncode == 0 and len(piped.stdout.splitlines()) == 3
    # A client that goes away ends what is computed for it.
    raw.send({"jsonrpc": "2.0", "id": 7, "method": "run", "params": {"handle": handle, "fill": "zeros"}})
    raw.process.stdin.close()
    raw.process.stdout.close()
    assert raw.process.wait(timeout=30) is not None


def test_an_interrupt_cancels_and_the_session_goes_on():
    module = hloscope.open(ENDLESS)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        module.run(fill="zeros")
    assert module.check() == []


def test_an_answer_that_nobody_waits_for_is_dropped(tmp_path):
    """A program that takes a second to answer, cancelled or not, and says which request it answers."""
    program = tmp_path / "slow"
    program.write_text(f"#!{sys.executable}\n" + """
import json, os, sys, time
for line in sys.stdin.buffer:
    request = json.loads(line)
    if "id" not in request: continue
    if request["method"] == "slow": time.sleep(1)
    answer = {"id": request["id"], "result": request["params"], "frames": [3]}
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\\nabc")
    sys.stdout.buffer.flush()
""")
    program.chmod(0o755)
    original = os.environ.get("HLOSCOPE")
    os.environ["HLOSCOPE"] = str(program)
    try:
        server = hloscope._Server()
    finally:
        os.environ["HLOSCOPE"] = original if original is not None else ""
    for interrupts in (1, 2, 4):
        signals = [threading.Timer(0.2 + 0.1 * k, lambda: os.kill(os.getpid(), signal.SIGINT)) for k in range(interrupts)]
        for one in signals:
            one.start()
        seen, is_over = 0, False
        while not is_over:
            try:
                while any(one.is_alive() for one in signals):
                    server.call("slow", which=interrupts)
                time.sleep(0.1)  # the last one comes here at the latest
                is_over = True
            except KeyboardInterrupt:
                seen += 1
        assert seen > 0
        assert server.call("fast", which="next") == ({"which": "next"}, [bytearray(b"abc")])
    assert not server.has_ended()
    server.stop()
