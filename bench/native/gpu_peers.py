"""Most of what section gpu of bench measures, in PyTorch and Triton, on the first GPU.

    python3 gpu_peers.py [PATTERN]

It prints a line "name  ms  note" for each measurement whose name the regular expression matches. One that cannot be
measured says why, and does not stop the others. Times are medians of batches of calls, after each of which the GPU is
waited for, as in gpulaunch.go. "cold" starts processes of its own.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import torch
import triton
import triton.language as tl

REPEATS = 15
LONG_BATCH = 10e-3  # seconds
LONG_ALL = 0.5
MOST_LAUNCHES = 500

N = 4096  # of matrices
HEADS, QUERIES, DEPTH = (4, 16), 2048, 64
LENGTH = 1 << 26  # of what is summed and sorted
BINS = 256


# Triton kernels.


@triton.jit
def saxpy_kernel(a, x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    y = tl.load(y_ptr + at, mask=inside)
    tl.store(y_ptr + at, y + a * tl.load(x_ptr + at, mask=inside), mask=inside)


@triton.jit
def empty_kernel(a, b, c, d, i, x, y, z):
    pass


@triton.jit
def softmax_kernel(x_ptr, y_ptr, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * width + at, mask=at < width, other=float("-inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * width + at, e / tl.sum(e, axis=0), mask=at < width)


# Of square matrices whose side is a multiple of the tiles' lengths.
@triton.jit
def matmul_kernel(x_ptr, y_ptr, z_ptr, n, M: tl.constexpr, NN: tl.constexpr, K: tl.constexpr, GROUP: tl.constexpr, PRECISION: tl.constexpr):
    block = tl.program_id(0)
    rows = tl.cdiv(n, M)
    columns = tl.cdiv(n, NN)
    first = block // (GROUP * columns) * GROUP
    size = min(rows - first, GROUP)
    i = (first + block % (GROUP * columns) % size) * M + tl.arange(0, M)
    j = block % (GROUP * columns) // size * NN + tl.arange(0, NN)
    k = tl.arange(0, K)
    x_at = x_ptr + i[:, None] * n + k[None, :]
    y_at = y_ptr + k[:, None] * n + j[None, :]
    total = tl.zeros((M, NN), dtype=tl.float32)
    for _ in range(0, n, K):
        total = tl.dot(tl.load(x_at), tl.load(y_at), total, input_precision=PRECISION)
        x_at += K
        y_at += K * n
    tl.store(z_ptr + i[:, None] * n + j[None, :], total)


# (M, N, K, GROUP), warps, stages
HALF_CONFIGS = [((128, 128, 64, 8), 8, 3), ((128, 128, 64, 8), 4, 4), ((128, 256, 64, 8), 8, 3), ((256, 128, 64, 8), 8, 3), ((128, 128, 32, 8), 4, 4)]
TF32_CONFIGS = [((128, 128, 32, 8), 8, 3), ((128, 128, 32, 8), 4, 3), ((128, 256, 32, 8), 8, 3)]


def product(config, x, y, z, precision):
    (m, n, k, group), warps, stages = config
    grid = (triton.cdiv(N, m) * triton.cdiv(N, n),)
    return lambda: matmul_kernel[grid](x, y, z, N, M=m, NN=n, K=k, GROUP=group, PRECISION=precision, num_warps=warps, num_stages=stages)


# Measuring.


def batch(f, n):
    start = time.perf_counter()
    for _ in range(n):
        f()
    torch.cuda.synchronize()
    return time.perf_counter() - start


def median(times):
    times = sorted(times)
    return times[len(times) // 2]


def seconds(f):
    """The median time of a call."""
    batch(f, 1)
    batch(f, 1)
    n = int(min(max(LONG_BATCH / batch(f, 1), 1), MOST_LAUNCHES))
    times, start = [], time.perf_counter()
    while len(times) < REPEATS and (len(times) < 3 or time.perf_counter() - start < LONG_ALL):
        times.append(batch(f, n) / n)
    return median(times)


def host(f):
    """The median time that a call takes the host."""
    batch(f, 1)
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        for _ in range(50):
            f()
        times.append((time.perf_counter() - start) / 50)
        torch.cuda.synchronize()
    return median(times)


def say(name, took, note=""):
    print(f"{name:44} {took * 1e3:12.4f}  {note}", flush=True)


def flops(count):
    return lambda took: f"{count / took / 1e9:.0f} GFLOP/s"


def moved(count):
    return lambda took: f"{count / took / 1e9:.0f} GB/s"


def fastest(calls):
    """Of several pairs of a name and a call, the one that is the fastest; those that fail are left out."""
    best, errors = None, []
    for name, f in calls:
        try:
            batch(f, 2)
            took = min(batch(f, 3) / 3 for _ in range(3))
        except Exception as e:
            errors.append(f"{name}: {first_line(e)}")
            continue
        if best is None or took < best[0]:
            best = (took, name, f)
    if best is None:
        raise RuntimeError("; ".join(errors) or "nothing to try")
    return best[1], best[2]


def first_line(e):
    return f"{type(e).__name__}: {(str(e).splitlines() or [''])[0][:200]}"


def near(got, want, tolerance):
    far = (got.double() - want.double()).abs().max().item()
    if not far <= tolerance:
        raise RuntimeError(f"the results differ by {far}")


def rand(*shape, dtype=torch.float32):
    return (torch.rand(*shape, device="cuda") * 2 - 1).to(dtype)


# The cases.


def launches():
    f = [torch.zeros(16, device="cuda") for _ in range(2)]
    i = [torch.zeros(16, device="cuda", dtype=torch.int32) for _ in range(2)]
    empty = empty_kernel[(1,)]
    say("Triton launch, 8 arguments (host)", host(lambda: empty(f[0], f[1], i[0], i[1], 3, 0.5, 0.25, True)))
    x, y = torch.zeros(1024, device="cuda"), torch.zeros(1024, device="cuda")
    say("Triton saxpy of 1024, on a stream", seconds(lambda: saxpy_kernel[(1,)](0.5, x, y, 1024, BLOCK=1024)))
    say("torch add_ of 1024 (host)", host(lambda: y.add_(x, alpha=0.5)))


def graph():
    x, y = torch.zeros(1024, device="cuda"), torch.zeros(1024, device="cuda")
    saxpy_kernel[(1,)](0.5, x, y, 1024, BLOCK=1024)
    torch.cuda.synchronize()
    g = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g):
        for _ in range(100):
            saxpy_kernel[(1,)](0.5, x, y, 1024, BLOCK=1024)
    say("graph of 100 Triton kernels, per kernel", seconds(g.replay) / 100)
    say("graph of 100 Triton kernels, replay (host)", host(g.replay))


def saxpy():
    x, y = rand(LENGTH), rand(LENGTH)
    name, f = fastest([(f"{b} elements, {w} warps", lambda b=b, w=w: saxpy_kernel[(triton.cdiv(LENGTH, b),)](0.5, x, y, LENGTH, BLOCK=b, num_warps=w)) for b, w in ((1024, 4), (1024, 8), (2048, 8), (4096, 8))])
    took = seconds(f)
    say("Triton saxpy, 67108864", took, moved(12 * LENGTH)(took) + ", " + name)
    took = seconds(lambda: y.add_(x, alpha=0.5))
    say("torch add_, 67108864", took, moved(12 * LENGTH)(took))


def cublas(name, dtype, tf32):
    def run():
        x, y = rand(N, N, dtype=dtype), rand(N, N, dtype=dtype)
        torch.backends.cuda.matmul.allow_tf32 = tf32
        took = seconds(lambda: torch.matmul(x, y))
        torch.backends.cuda.matmul.allow_tf32 = False
        say(f"torch.matmul {name}, {N}", took, flops(2 * N**3)(took))

    return run


def triton_matmul(name, dtype, configs, precision, tolerance):
    def run():
        x, y, z = rand(N, N, dtype=dtype), rand(N, N, dtype=dtype), torch.empty(N, N, device="cuda")
        which, f = fastest([(str(c), product(c, x, y, z, precision)) for c in configs])
        f()
        near(z[:64], torch.matmul(x[:64].double(), y.double()), tolerance)
        took = seconds(f)
        say(f"Triton matmul {name}, {N}", took, flops(2 * N**3)(took) + ", " + which)

    return run


def softmax(rows, width):
    def run():
        x, y = 4 * rand(rows, width), torch.empty(rows, width, device="cuda")
        took = seconds(lambda: torch.softmax(x, dim=-1))
        say(f"torch.softmax, {rows} x {width}", took, moved(8 * rows * width)(took))
        which, f = fastest([(f"{w} warps", lambda w=w: softmax_kernel[(rows,)](x, y, width, BLOCK=triton.next_power_of_2(width), num_warps=w)) for w in (2, 4, 8, 16)])
        f()
        near(y, torch.softmax(x, dim=-1), 1e-5)
        took = seconds(f)
        say(f"Triton softmax, {rows} x {width}", took, moved(8 * rows * width)(took) + ", " + which)

    return run


def layer_norm():
    x, w, b = 4 * rand(4096, 1024), rand(1024), rand(1024)
    took = seconds(lambda: torch.nn.functional.layer_norm(x, (1024,), w, b))
    say("torch layer_norm, 4096 x 1024", took, moved(8 * x.numel())(took))


def attention(name, dtype, backend):
    def run():
        from torch.nn.attention import SDPBackend, sdpa_kernel

        q, k, v = (rand(*HEADS, QUERIES, DEPTH, dtype=dtype) for _ in range(3))
        with sdpa_kernel(getattr(SDPBackend, backend)):
            took = seconds(lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v))
        count = 4 * HEADS[0] * HEADS[1] * QUERIES * QUERIES * DEPTH
        say(f"torch attention {name}, {backend.lower()}", took, flops(count)(took))

    return run


def parallel(name, bytes_each, make):
    def run():
        f = make()
        took = seconds(f)
        say(f"torch.{name}, {LENGTH}", took, moved(bytes_each * LENGTH)(took))

    return run


def sum_of():
    x = torch.rand(LENGTH, device="cuda")
    return lambda: torch.sum(x)


def dot_of():
    x, y = torch.rand(LENGTH, device="cuda"), torch.rand(LENGTH, device="cuda")
    return lambda: torch.dot(x, y)


def cumsum_of():
    x = torch.rand(LENGTH, device="cuda")
    return lambda: torch.cumsum(x, 0)


def sort_of():
    x = torch.rand(LENGTH, device="cuda")
    return lambda: torch.sort(x)


def histc_of():
    x = torch.rand(LENGTH, device="cuda")
    return lambda: torch.histc(x, bins=BINS, min=0, max=1)


def bincount_of():
    x = torch.randint(BINS, (LENGTH,), device="cuda")
    return lambda: torch.bincount(x, minlength=BINS)


def cold(kernel):
    def run():
        directory = tempfile.mkdtemp(prefix="gpu-peers-")
        try:
            for what in ("cold", "warm cache"):
                done = subprocess.run([sys.executable, os.path.abspath(__file__), "--first", kernel], capture_output=True, text=True, timeout=60, env={**os.environ, "TRITON_CACHE_DIR": directory})
                if done.returncode != 0:
                    raise RuntimeError(done.stderr[-300:])
                say(f"Triton {what}, {kernel}", float(done.stdout.split()[-1]), "from the first call to the end of the launch")
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    return run


def first(kernel):
    """What a process of cold does: it prints the seconds until a kernel has run."""
    if kernel == "matmul":
        x, y, z = (torch.zeros(N, N, device="cuda", dtype=t) for t in (torch.float16, torch.float16, torch.float32))
        f = product(HALF_CONFIGS[0], x, y, z, "tf32")
    else:
        x, y = torch.zeros(1024, device="cuda"), torch.zeros(1024, device="cuda")
        f = lambda: saxpy_kernel[(1,)](0.5, x, y, 1024, BLOCK=1024)
    torch.cuda.synchronize()
    print(batch(f, 1))


CASES = [
    ("launches", launches),
    ("graph", graph),
    ("saxpy", saxpy),
    ("matmul float32", cublas("float32", torch.float32, False)),
    ("matmul TF32", cublas("TF32", torch.float32, True)),
    ("matmul float16", cublas("float16", torch.float16, False)),
    ("matmul bfloat16", cublas("bfloat16", torch.bfloat16, False)),
    ("softmax 1024", softmax(4096, 1024)),
    ("softmax 4096", softmax(8192, 4096)),
    ("layer norm", layer_norm),
    ("attention float16 flash", attention("float16", torch.float16, "FLASH_ATTENTION")),
    ("attention float16 cudnn", attention("float16", torch.float16, "CUDNN_ATTENTION")),
    ("attention float16 math", attention("float16", torch.float16, "MATH")),
    ("attention float32 efficient", attention("float32", torch.float32, "EFFICIENT_ATTENTION")),
    ("attention float32 math", attention("float32", torch.float32, "MATH")),
    ("sum", parallel("sum", 4, sum_of)),
    ("dot", parallel("dot", 8, dot_of)),
    ("cumsum", parallel("cumsum", 8, cumsum_of)),
    ("sort", parallel("sort (and indices)", 8, sort_of)),
    ("histc", parallel("histc", 4, histc_of)),
    ("bincount", parallel("bincount (of int64)", 8, bincount_of)),
    ("Triton matmul float16", triton_matmul("float16", torch.float16, HALF_CONFIGS, "tf32", 0.05)),
    ("cold saxpy", cold("saxpy")),
    ("cold matmul", cold("matmul")),
    ("Triton matmul TF32", triton_matmul("TF32", torch.float32, TF32_CONFIGS, "tf32", 0.5)),
]


def main():
    if len(sys.argv) > 2 and sys.argv[1] == "--first":
        first(sys.argv[2])
        return
    pattern = re.compile(sys.argv[1] if len(sys.argv) > 1 else "")
    begin = time.perf_counter()
    print(f"{torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}, Triton {triton.__version__}", flush=True)
    print(f"{'name':44} {'ms':>12}", flush=True)
    for name, run in CASES:
        if not pattern.search(name):
            continue
        try:
            run()
            torch.cuda.synchronize()
            torch.cuda.empty_cache()
        except Exception as e:
            print(f"{name:44} not measured: {first_line(e)}", flush=True)
    print(f"all of it took {time.perf_counter() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    main()
