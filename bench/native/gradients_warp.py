"""The kernels of backkernels.go in Warp, driven from standard input.

Argument: whether to measure processor time. A line is "forward NAME" or "backward NAME": the answer is the nanoseconds that took on device cpu. "sum NAME" answers with sums
over the gradients of what is given, after one backward launch: of all derivatives, and of their absolute values.
"""

import sys
import time

import numpy as np
import warp as wp

clock = time.process_time_ns if sys.argv[1] == "true" else time.perf_counter_ns
wp.config.quiet = True
wp.config.enable_backward = True
wp.init()
wp.set_device("cpu")


@wp.kernel
def saxpy(a: float, x: wp.array(dtype=float), y: wp.array(dtype=float), loss: wp.array(dtype=float)):
    i = wp.tid()
    d = a * x[i] + y[i]
    wp.atomic_add(loss, 0, d * d)


@wp.kernel
def heat(r: float, n: int, m: int, u: wp.array(dtype=float), next: wp.array(dtype=float)):
    i, j = wp.tid()
    c = u[i * m + j]
    up = u[wp.max(i - 1, 0) * m + j]
    down = u[wp.min(i + 1, n - 1) * m + j]
    left = u[i * m + wp.max(j - 1, 0)]
    right = u[i * m + wp.min(j + 1, m - 1)]
    next[i * m + j] = c + r * (up + down + left + right - 4.0 * c)


@wp.kernel
def bodies(dt: float, n: int, p: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), v_next: wp.array(dtype=wp.vec3), p_next: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    a = wp.vec3()
    for j in range(n):
        d = p[j] - p[i]
        r = wp.dot(d, d) + 0.01
        a += d * (1.0 / (r * wp.sqrt(r)))
    to = v[i] + a * dt
    v_next[i] = to
    p_next[i] = p[i] + to * dt


@wp.func
def weight(f: float, k: int):
    if k == 0:
        return 0.5 * (1.5 - f) * (1.5 - f)
    if k == 1:
        return 0.75 - (f - 1.0) * (f - 1.0)
    return 0.5 * (f - 0.5) * (f - 0.5)


@wp.kernel
def scatter(n: int, dt: float, x: wp.array(dtype=wp.vec2), v: wp.array(dtype=wp.vec2), c: wp.array(dtype=wp.mat22), j: wp.array(dtype=float), grid: wp.array(dtype=wp.vec3)):
    p = wp.tid()
    inv = float(n)
    dx = 1.0 / inv
    volume = dx * dx * 0.25
    bx = int(x[p][0] * inv - 0.5)
    by = int(x[p][1] * inv - 0.5)
    fx = x[p][0] * inv - float(bx)
    fy = x[p][1] * inv - float(by)
    stress = -dt * 4.0 * 400.0 * volume * (j[p] - 1.0) * inv * inv
    affine = c[p] * volume + wp.mat22(stress, 0.0, 0.0, stress)
    for a in range(3):
        for b in range(3):
            d = wp.vec2(float(bx + a) - x[p][0] * inv, float(by + b) - x[p][1] * inv) * dx
            w = weight(fx, a) * weight(fy, b)
            momentum = (v[p] * volume + affine * d) * w
            wp.atomic_add(grid, (bx + a) * n + by + b, wp.vec3(momentum[0], momentum[1], w * volume))


@wp.kernel
def nodes(n: int, dt: float, grid: wp.array(dtype=wp.vec3), speed: wp.array(dtype=wp.vec2)):
    i, j = wp.tid()
    g = grid[i * n + j]
    vx = float(0.0)
    vy = float(0.0)
    if g[2] > 0.0:
        vx = g[0] / g[2]
        vy = g[1] / g[2] - dt * 9.8
        if (i < 3 and vx < 0.0) or (i > n - 3 and vx > 0.0):
            vx = 0.0
        if (j < 3 and vy < 0.0) or (j > n - 3 and vy > 0.0):
            vy = 0.0
    speed[i * n + j] = wp.vec2(vx, vy)


@wp.kernel
def collect(
    n: int, dt: float, speed: wp.array(dtype=wp.vec2), x: wp.array(dtype=wp.vec2), j: wp.array(dtype=float),
    x_next: wp.array(dtype=wp.vec2), v_next: wp.array(dtype=wp.vec2), c_next: wp.array(dtype=wp.mat22), j_next: wp.array(dtype=float),
):
    p = wp.tid()
    inv = float(n)
    dx = 1.0 / inv
    bx = int(x[p][0] * inv - 0.5)
    by = int(x[p][1] * inv - 0.5)
    fx = x[p][0] * inv - float(bx)
    fy = x[p][1] * inv - float(by)
    v = wp.vec2()
    c = wp.mat22()
    for a in range(3):
        for b in range(3):
            d = wp.vec2(float(bx + a) - x[p][0] * inv, float(by + b) - x[p][1] * inv) * dx
            there = speed[(bx + a) * n + by + b] * (weight(fx, a) * weight(fy, b))
            v += there
            c += wp.outer(there, d) * (4.0 * inv * inv)
    x_next[p] = x[p] + v * dt
    v_next[p] = v
    c_next[p] = c
    j_next[p] = j[p] * (1.0 + dt * (c[0, 0] + c[1, 1]))


@wp.kernel
def network(x: wp.array(dtype=float), w: wp.array(dtype=float), b: wp.array(dtype=float), v: wp.array(dtype=float), loss: wp.array(dtype=float)):
    i = wp.tid()
    sum = float(0.0)
    for h in range(16):
        s = b[h]
        for k in range(8):
            s += w[h * 8 + k] * x[i * 8 + k]
        sum += v[h] * wp.tanh(s)
    wp.atomic_add(loss, 0, sum * sum)


@wp.kernel
def svd(m: wp.array(dtype=wp.mat33), loss: wp.array(dtype=float)):
    i = wp.tid()
    u, s, v = wp.svd3(m[i])
    d = s - wp.vec3(1.0, 1.0, 1.0)
    wp.atomic_add(loss, 0, wp.dot(d, d) * 3.14159265)


def numbers(n, low, high, which):
    i = np.arange(1, n + 1, dtype=np.float64)
    return (low + (high - low) * ((i * 0.7548776662466927 + which * 0.5698402909980532) % 1)).astype(np.float32)


class Case:
    """launches are (kernel, dimensions, arguments). Arrays of between are made by one for another, and added to by the first."""

    def __init__(self, launches, between, results):
        self.launches, self.between, self.results = launches, between, results
        arrays = {id(a): a for _, _, args in launches for a in args if isinstance(a, wp.array)}
        self.grads = {k: wp.zeros_like(a) for k, a in arrays.items()}
        self.seeds = []
        for a in results:
            seed = np.ones(a.numpy().shape, dtype=np.float32)
            self.seeds.append((self.grads[id(a)], wp.array(seed, dtype=a.dtype)))

    def forward(self):
        for a in self.between:
            a.zero_()
        for kernel, dim, args in self.launches:
            wp.launch(kernel, dim=dim, inputs=args)

    def backward(self):
        for kernel, dim, args in reversed(self.launches):
            grads = [self.grads.get(id(a), a) for a in args]
            wp.launch(kernel, dim=dim, inputs=args, adj_inputs=grads, adjoint=True)

    def start(self):
        for a in self.grads.values():
            a.zero_()
        for grad, seed in self.seeds:
            wp.copy(grad, seed)

    def sums(self):
        self.forward()
        self.start()
        self.backward()
        made = {id(a) for a in self.results + self.between}
        all = [g.numpy().astype(np.float64) for k, g in self.grads.items() if k not in made]
        return sum(g.sum() for g in all), sum(np.abs(g).sum() for g in all)


def floats(n, low, high, which, dtype=float, size=1):
    x = numbers(n * size, low, high, which)
    return wp.array(x if dtype is float else x.reshape((n,) + dtype._shape_), dtype=dtype)


def points():
    n, particles, dt = 64, 8192, 2e-4
    x, v = floats(particles, 0.2, 0.8, 0, wp.vec2, 2), floats(particles, -1, 1, 1, wp.vec2, 2)
    c, j = floats(particles, -1, 1, 2, wp.mat22, 4), floats(particles, 0.9, 1.1, 3)
    grid, speed = wp.zeros(n * n, dtype=wp.vec3), wp.zeros(n * n, dtype=wp.vec2)
    to = [wp.zeros(particles, dtype=t) for t in (wp.vec2, wp.vec2, wp.mat22, float)]
    return Case([(scatter, particles, [n, dt, x, v, c, j, grid]), (nodes, (n, n), [n, dt, grid, speed]), (collect, particles, [n, dt, speed, x, j] + to)], [grid, speed], to)


def make(name):
    loss = wp.zeros(1, dtype=float)
    if name == "saxpy":
        n = 1 << 20
        return Case([(saxpy, n, [0.5, floats(n, -1, 1, 0), floats(n, -1, 1, 1), loss])], [], [loss])
    if name == "heat":
        n, m = 1024, 1024
        to = wp.zeros(n * m, dtype=float)
        return Case([(heat, (n, m), [0.2, n, m, floats(n * m, 0, 1, 0), to])], [], [to])
    if name == "bodies":
        n = 1024
        v, p = wp.zeros(n, dtype=wp.vec3), wp.zeros(n, dtype=wp.vec3)
        return Case([(bodies, n, [0.01, n, floats(n, -1, 1, 0, wp.vec3, 3), floats(n, -1, 1, 1, wp.vec3, 3), v, p])], [], [v, p])
    if name == "points":
        return points()
    if name == "network":
        n = 1 << 14
        return Case([(network, n, [floats(8 * n, -1, 1, 0), floats(128, -1, 1, 1), floats(16, -1, 1, 2), floats(16, -1, 1, 3), loss])], [], [loss])
    if name == "svd":
        n = 1 << 13
        m = numbers(9 * n, -0.3, 0.3, 0).reshape(n, 3, 3) + np.eye(3, dtype=np.float32)
        return Case([(svd, n, [wp.array(m, dtype=wp.mat33), loss])], [], [loss])


cases = {}
for line in sys.stdin:
    what, name = line.split()
    if name not in cases:
        cases[name] = make(name)
    case = cases[name]
    if what == "sum":
        print(*case.sums(), flush=True)
        continue
    case.start()
    run = case.forward if what == "forward" else case.backward
    start = clock()
    run()
    print(clock() - start, flush=True)
