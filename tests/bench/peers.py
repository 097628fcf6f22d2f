#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The peers of `hloscope_bench evaluator`: the same work in PyTorch and NumPy, at their best settings.

With `--kept` there is one peer, "torch_kept": PyTorch with a C library that keeps the memory of freed arrays and asks
the system for huge pages. By default it returns that of large arrays, and each new one costs its pages again.

Reads commands from standard input, one a line, and answers each with one line:
    peers            the peers that are installed, e.g. "torch numpy"
    prepare ROW      the peers that have the row, after one run of each that is not counted
    run PEER COUNT   seconds of each of COUNT runs of the prepared row; before several, a quarter as many that are not
                     counted
    drop             forgets the prepared row
"""
import os
import sys
import time

KEPT = "--kept" in sys.argv
if KEPT and "GLIBC_TUNABLES" not in os.environ:
    os.environ["GLIBC_TUNABLES"] = ":".join(
        "glibc.malloc." + t for t in ("hugetlb=1", f"mmap_threshold={1 << 40}", f"trim_threshold={1 << 40}",
                                      f"top_pad={1 << 28}", "arena_max=1"))
    os.execv(sys.executable, [sys.executable] + sys.argv)

# Read when the libraries load: PyTorch and OpenBLAS choose older kernels than this processor could run otherwise. What
# the environment says already may hold them back, so it does not count.
for name in [n for n in os.environ if n.startswith("OPENBLAS_") or n in ("ATEN_CPU_CAPABILITY", "OMP_NUM_THREADS")]:
    del os.environ[name]
flags = open("/proc/cpuinfo").read() if os.path.exists("/proc/cpuinfo") else ""
if "avx512bw" in flags and "avx512vl" in flags:
    os.environ["ATEN_CPU_CAPABILITY"] = "avx512"
    os.environ["OPENBLAS_CORETYPE"] = "SkylakeX"
THREADS = int(os.environ.get("HLOSCOPE_BENCH_THREADS", "2"))
os.environ["OPENBLAS_NUM_THREADS"] = str(THREADS)

try:
    import numpy as np
except ImportError:
    np = None
try:
    import torch
    import torch.nn.functional as F

    torch.set_num_threads(THREADS)
    torch.set_grad_enabled(False)
except ImportError:
    torch = None
    # Debian's packages belong to Debian's Python, which need not be the first one on the path.
    SYSTEM_PYTHON = "/usr/bin/python3"
    if os.path.exists(SYSTEM_PYTHON) and "HLOSCOPE_BENCH_SYSTEM_PYTHON" not in os.environ:
        os.environ["HLOSCOPE_BENCH_SYSTEM_PYTHON"] = "1"
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON] + sys.argv)


def uniform(*shape):
    return torch.rand(*shape) * 2 - 1


def gemm():
    a, b = uniform(1024, 1024), uniform(1024, 1024)
    out = torch.empty(1024, 1024)
    na, nb, nout = a.numpy(), b.numpy(), out.numpy()
    return lambda: torch.mm(a, b, out=out), lambda: np.matmul(na, nb, out=nout)


def batched_gemm():
    a, b = uniform(16, 512, 512), uniform(16, 512, 512)
    out = torch.empty(16, 512, 512)
    na, nb, nout = a.numpy(), b.numpy(), out.numpy()
    return lambda: torch.bmm(a, b, out=out), lambda: np.matmul(na, nb, out=nout)


def bf16_gemm():
    a, b = uniform(1024, 1024).bfloat16(), uniform(1024, 1024).bfloat16()
    return lambda: torch.mm(a, b), None


def matrix_vector(rows, inner, columns, dtype):
    a, b = uniform(rows, inner).to(dtype), uniform(inner, columns).to(dtype)
    na, nb = a.numpy(), b.numpy()
    return lambda: torch.mm(a, b), lambda: np.matmul(na, nb)


def vector_matrix_bf16():
    x, w = uniform(1, 4096).bfloat16(), uniform(4096, 4096).bfloat16()
    return lambda: (x @ w.t()).float(), None


def vector_matrix_s8():
    # Of integers PyTorch multiplies s32 alone with that type of result; the weights are converted once.
    x, w = (torch.randint(-100, 100, shape, dtype=torch.int32) for shape in ((1, 4096), (4096, 4096)))
    return lambda: x @ w.t(), None


def add():
    a, b, out = uniform(1 << 24), uniform(1 << 24), torch.empty(1 << 24)
    na, nb, nout = a.numpy(), b.numpy(), out.numpy()
    return lambda: torch.add(a, b, out=out), lambda: np.add(na, nb, out=nout)


def exp():
    a, out = uniform(1 << 24), torch.empty(1 << 24)
    na, nout = a.numpy(), out.numpy()
    return lambda: torch.exp(a, out=out), lambda: np.exp(na, out=nout)


def chain():
    a = uniform(1 << 22)
    na = a.numpy()

    def run(x, t):
        for _ in range(5):
            x = t.add(t.multiply(x, x), a if t is torch else na)
        return x

    return lambda: run(a, torch), lambda: run(na, np)


def reduce_last():
    a = uniform(4096, 4096)
    na = a.numpy()
    return lambda: torch.sum(a, 1), lambda: np.sum(na, 1)


def reduce_first():
    a = uniform(4096, 4096)
    na = a.numpy()
    return lambda: torch.sum(a, 0), lambda: np.sum(na, 0)


def maximum_first():
    a = uniform(4096, 4096)
    na = a.numpy()
    return lambda: torch.amax(a, 0), lambda: np.max(na, 0)


def transpose():
    a, out = uniform(4096, 4096), torch.empty(4096, 4096)
    na, nout = a.numpy(), out.numpy()
    return lambda: out.copy_(a.t()), lambda: np.copyto(nout, na.T)


def reduce_groups():
    a = uniform(8, 56, 56, 32, 8)
    na = a.numpy()
    return lambda: torch.sum(a, (1, 2, 4)), lambda: np.sum(na, (1, 2, 4))


def transpose_planes():
    a = uniform(8, 64, 56, 56).bfloat16()
    return lambda: a.contiguous(memory_format=torch.channels_last), None


def convolution(batch, size, features, dtype=torch.float32, memory_format=torch.channels_last):
    x = uniform(batch, features, size, size).to(dtype).contiguous(memory_format=memory_format)
    w = uniform(features, features, 3, 3).to(dtype).contiguous(memory_format=memory_format)
    return lambda: F.conv2d(x, w, padding=1), None


def conv_patches():
    x = uniform(8, 3, 224, 224).contiguous(memory_format=torch.channels_last)
    w = uniform(768, 3, 16, 16).contiguous(memory_format=torch.channels_last)
    return lambda: F.conv2d(x, w, stride=16), None


def conv_points_planes():
    x, w = uniform(8, 512, 7, 7), uniform(2048, 512, 1, 1)
    return lambda: F.conv2d(x, w), None


def conv_planes():
    x, w = uniform(8, 64, 56, 56), uniform(64, 64, 3, 3)
    return lambda: F.conv2d(x, w, padding=1), None


def conv_first_planes():
    x, w = uniform(8, 3, 224, 224), uniform(64, 3, 7, 7)
    return lambda: F.conv2d(x, w, stride=2, padding=3), None


def depthwise_bf16():
    x = uniform(8, 192, 28, 28).to(torch.bfloat16).contiguous(memory_format=torch.channels_last)
    w = uniform(192, 1, 3, 3).to(torch.bfloat16).contiguous(memory_format=torch.channels_last)
    return lambda: F.conv2d(x, w, padding=1, groups=192), None


def softmax():
    a = uniform(4096, 4096)
    na = a.numpy()

    def by_hand():
        e = np.exp(na - na.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True)

    return lambda: torch.softmax(a, 1), by_hand


def layer_norm():
    x = uniform(1, 4096, 768).bfloat16()
    return lambda: F.layer_norm(x, (768,), eps=1.001e-5), None


def attention():
    q, k, v = (uniform(1, 12, 128, 64).bfloat16() for _ in range(3))
    return lambda: torch.softmax(q @ k.transpose(2, 3) * 0.125, -1) @ v, None


def argmax(axis):
    a = uniform(4096, 4096)
    na = a.numpy()
    return lambda: torch.max(a, axis), lambda: np.argmax(na, axis)


def batch_norm_bf16():
    x = uniform(16, 128, 56, 56).bfloat16().contiguous(memory_format=torch.channels_last)
    scale, shift = uniform(128), uniform(128)
    return lambda: F.batch_norm(x, None, None, scale, shift, True), None


def scatter_add_bf16():
    x, places = uniform(100000).bfloat16(), torch.randint(0, 100000, (1 << 20,))
    updates = uniform(1 << 20).bfloat16()
    return lambda: x.index_add(0, places, updates), None


def grouped_convolution():
    x = uniform(8, 128, 28, 28).contiguous(memory_format=torch.channels_last)
    w = uniform(128, 4, 3, 3).contiguous(memory_format=torch.channels_last)
    return lambda: F.conv2d(x, w, padding=1, groups=32), None


def strided_gradient():
    x, y, w = uniform(8, 64, 56, 56), uniform(8, 128, 28, 28), uniform(128, 64, 3, 3)
    return lambda: torch.ops.aten.convolution_backward(
        y, x, w, None, [2, 2], [1, 1], [1, 1], False, [0, 0], 1, [True, False, False]), None


def erf():
    a, out = uniform(1 << 24), torch.empty(1 << 24)
    return lambda: torch.erf(a, out=out), None


def remainder():
    a, b, out = uniform(1 << 22), uniform(1 << 22) + 2, torch.empty(1 << 22)
    na, nb, nout = a.numpy(), b.numpy(), out.numpy()
    return lambda: torch.fmod(a, b, out=out), lambda: np.fmod(na, nb, out=nout)


def sort():
    a = uniform(1 << 20)
    na = a.numpy()
    return lambda: torch.sort(a), lambda: np.sort(na)


def gather():
    x, rows = uniform(100000, 64), torch.randint(0, 100000, (100000,))
    nx, nrows = x.numpy(), rows.numpy()
    return lambda: torch.index_select(x, 0, rows), lambda: np.take(nx, nrows, 0)


def scatter_add():
    x, rows, updates = uniform(100000, 64), torch.randint(0, 100000, (100000,)), uniform(100000, 64)
    return lambda: x.index_add(0, rows, updates), None


def max_pool():
    x = uniform(8, 64, 112, 112).contiguous(memory_format=torch.channels_last)
    return lambda: F.max_pool2d(x, 3, 2, 1), None


def max_pool_planes():
    x = uniform(8, 64, 112, 112)
    return lambda: F.max_pool2d(x, 3, 2, 1), None


def max_pool_bf16():
    x = uniform(8, 64, 112, 112).bfloat16().contiguous(memory_format=torch.channels_last)
    return lambda: F.max_pool2d(x, 3, 2, 1), None


def sum_pool():
    x = uniform(8, 256, 56, 56).contiguous(memory_format=torch.channels_last)
    return lambda: F.avg_pool2d(x, 3, 1, 1, divisor_override=1), None


def max_pool_gradient(memory_format):
    """Which elements are the largest ones, and the sums there: select-and-scatter is both."""
    x = uniform(8, 64, 112, 112).contiguous(memory_format=memory_format)
    y = uniform(8, 64, 56, 56).contiguous(memory_format=memory_format)

    def run():
        indices = F.max_pool2d(x, 3, 2, 1, return_indices=True)[1]
        return torch.ops.aten.max_pool2d_with_indices_backward(y, x, [3, 3], [2, 2], [1, 1], [1, 1], False, indices)

    return run, None


def cumulative_sum():
    a = uniform(2048, 2048)
    na = a.numpy()
    return lambda: torch.cumsum(a, 1), lambda: np.cumsum(na, 1)


def fft_real():
    a = uniform(1024, 1024)
    na = a.numpy()
    return lambda: torch.fft.rfft(a), lambda: np.fft.rfft(na)


def fft_planes():
    a = torch.complex(uniform(1024, 1024), uniform(1024, 1024))
    na = a.numpy()
    return lambda: torch.fft.fft2(a), lambda: np.fft.fft2(na)


def depthwise():
    x = uniform(1, 256, 56, 56).bfloat16().contiguous(memory_format=torch.channels_last)
    w = uniform(256, 1, 3, 3).bfloat16()
    return lambda: F.conv2d(x, w, padding=1, groups=256), None


def bf16_rows(operation, *sizes):
    x = uniform(*sizes).bfloat16()
    return lambda: operation(x), None


class Normalized:
    """A convolution and the batch normalisation after it, with random weights; not trained unless `grad`."""

    def __init__(self, cin, cout, size, stride=1, groups=1, bias=False, grad=False):
        self.w = (uniform(cout, cin // groups, size, size) / (cin * size)).contiguous(memory_format=torch.channels_last)
        self.b = uniform(cout) if bias else None
        self.scale, self.shift, self.mean, self.var = torch.ones(cout), uniform(cout), uniform(cout), torch.ones(cout)
        self.stride, self.padding, self.groups, self.grad = stride, size // 2, groups, grad
        self.parameters = [self.w, self.scale, self.shift]
        for p in self.parameters:
            p.requires_grad_(grad)

    def __call__(self, x):
        y = F.conv2d(x, self.w, self.b, self.stride, self.padding, groups=self.groups)
        return F.batch_norm(y, self.mean, self.var, self.scale, self.shift, self.grad)


def resnet50():
    stem = Normalized(3, 64, 7, 2, bias=True)
    blocks, cin = [], 64
    for stage, count in enumerate((3, 4, 6, 3)):
        width = 64 << stage
        for b in range(count):
            stride = 2 if b == 0 and stage > 0 else 1
            shortcut = Normalized(cin, 4 * width, 1, stride, bias=True) if b == 0 else None
            blocks.append((shortcut, Normalized(cin, width, 1, stride, bias=True),
                           Normalized(width, width, 3, bias=True), Normalized(width, 4 * width, 1, bias=True)))
            cin = 4 * width
    dense, bias = uniform(1000, 2048), uniform(1000)
    x = uniform(1, 3, 224, 224).contiguous(memory_format=torch.channels_last)

    def run():
        y = F.max_pool2d(F.relu(stem(x)), 3, 2, 1)
        for shortcut, a, b, c in blocks:
            y = F.relu(c(F.relu(b(F.relu(a(y))))) + (shortcut(y) if shortcut else y))
        return torch.softmax(F.linear(y.mean((2, 3)), dense, bias), 1)

    return run, None


def mobilenet_v2():
    """A training step: forward, loss, gradients of all weights, as the module of the corpus does."""
    layers, cin = [(None, Normalized(3, 32, 3, 2, grad=True), True)], 32
    blocks = []
    for t, c, n, s in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
                       (6, 320, 1, 1)):
        for b in range(n):
            wide, stride = cin * t, s if b == 0 else 1
            parts = [Normalized(cin, wide, 1, grad=True)] if t != 1 else []
            parts += [Normalized(wide, wide, 3, stride, wide, grad=True), Normalized(wide, c, 1, grad=True)]
            blocks.append((parts, stride == 1 and cin == c))
            cin = c
    stem, last = layers[0][1], Normalized(cin, 1280, 1, grad=True)
    dense, bias = uniform(1000, 1280).requires_grad_(), uniform(1000).requires_grad_()
    x = uniform(96, 3, 224, 224).contiguous(memory_format=torch.channels_last)
    labels = torch.randint(0, 1000, (96,))
    weights = [p for m in [stem, last] + [m for parts, _ in blocks for m in parts] for p in m.parameters]

    def run():
        with torch.enable_grad():
            y = F.relu6(stem(x))
            for parts, residual in blocks:
                z = y
                for part in parts[:-1]:
                    z = F.relu6(part(z))
                z = parts[-1](z)
                y = y + z if residual else z
            y = F.relu6(last(y)).mean((2, 3))
            loss = F.cross_entropy(F.linear(y, dense, bias), labels)
            return torch.autograd.grad(loss, weights + [dense, bias])

    return run, None


ROWS = {
    "gemm": gemm, "batched_gemm": batched_gemm, "bf16_gemm": bf16_gemm,
    "vector_matrix_bf16": vector_matrix_bf16, "vector_matrix_s8": vector_matrix_s8,
    "matrix_vector": lambda: matrix_vector(4096, 4096, 1, torch.float32),
    "vector_matrix": lambda: matrix_vector(1, 4096, 4096, torch.float32),
    "matrix_vector_f64": lambda: matrix_vector(2048, 2048, 1, torch.float64),
    "vector_matrix_f64": lambda: matrix_vector(1, 2048, 2048, torch.float64), "add": add, "exp": exp, "chain": chain,
    "reduce_last": reduce_last, "reduce_first": reduce_first, "maximum_first": maximum_first, "transpose": transpose,
    "reduce_groups": reduce_groups,
    "conv56": lambda: convolution(1, 56, 64), "conv28": lambda: convolution(8, 28, 128),
    "conv28_bf16": lambda: convolution(8, 28, 128, torch.bfloat16),
    "conv28_bf16_planes": lambda: convolution(8, 28, 128, torch.bfloat16, torch.contiguous_format),
    "transpose_planes": transpose_planes, "depthwise": depthwise, "depthwise_bf16": depthwise_bf16,
    "conv_patches": conv_patches, "conv_points_planes": conv_points_planes,
    "conv_planes": conv_planes, "conv_first_planes": conv_first_planes,
    "argmax_last": lambda: argmax(1), "argmax_first": lambda: argmax(0), "batch_norm_bf16": batch_norm_bf16,
    "scatter_add_bf16": scatter_add_bf16, "grouped_convolution": grouped_convolution,
    "strided_gradient": strided_gradient, "erf": erf, "remainder": remainder,
    "softmax": softmax, "layer_norm": layer_norm, "attention": attention, "sort": sort, "gather": gather,
    "scatter_add": scatter_add, "max_pool": max_pool,
    "max_pool_planes": max_pool_planes, "max_pool_bf16": max_pool_bf16, "sum_pool": sum_pool,
    "max_pool_gradient": lambda: max_pool_gradient(torch.channels_last),
    "max_pool_gradient_planes": lambda: max_pool_gradient(torch.contiguous_format), "cumulative_sum": cumulative_sum, "fft_real": fft_real,
    "fft_planes": fft_planes, "resnet50": resnet50,
    "mobilenet_v2": mobilenet_v2,
    "argsort_axis_1024x512_bf16": lambda: bf16_rows(lambda x: torch.sort(x, dim=1, stable=True)[1], 1024, 512),
    "sort_full_1024x4096_bf16": lambda: bf16_rows(lambda x: torch.sort(x, dim=1, stable=True)[0], 1024, 4096),
    "sum_axis_1x4096x1024_bf16": lambda: bf16_rows(lambda x: torch.sum(x, 2), 1, 4096, 1024),
    "topk_logits_k10_1x50000_bf16": lambda: bf16_rows(lambda x: torch.topk(x, 10)[0], 1, 50000),
}


# As bench_clock.h says.
clock = time.process_time if os.environ.get("HLOSCOPE_BENCH_CLOCK") == "processor" else time.perf_counter


def seconds_of(f):
    start = clock()
    f()
    return clock() - start


def peers_of(row):
    """Functions that do the work of a row, by peer."""
    in_torch, in_numpy = ROWS[row]()
    if KEPT:
        return {"torch_kept": in_torch}
    return {name: f for name, f in (("torch", in_torch), ("numpy", in_numpy)) if f is not None and module_of[name]}


module_of = {"torch": torch, "numpy": np}


def main():
    prepared = {}
    for line in sys.stdin:
        words = line.split()
        answer = ""
        if words[:1] == ["peers"]:
            # The tensors of the rows are made with PyTorch, so NumPy takes part only beside it.
            names = ["torch_kept"] if KEPT else [n for n, m in module_of.items() if m is not None]
            answer = " ".join(names) if torch else ""
        elif words[:1] == ["prepare"] and torch is not None and words[1] in ROWS:
            prepared = peers_of(words[1])
            for f in prepared.values():
                f()
            answer = " ".join(prepared)
        elif words[:1] == ["run"] and words[1] in prepared:
            count = int(words[2])
            for _ in range(count // 4 + 1 if count > 1 else 0):
                prepared[words[1]]()
            answer = " ".join(repr(seconds_of(prepared[words[1]])) for _ in range(count))
        elif words[:1] == ["drop"]:
            prepared = {}
        print(answer, flush=True)


main()
