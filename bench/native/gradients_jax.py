"""The kernels of gradkernels.go in JAX, an oracle for their gradients.

It answers each line, a JSON object with a kernel's name, its arguments and the derivatives of a number by its results, with
the derivatives of that number by the arguments.
"""

import json
import sys

import jax

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402


def gather(at, x, w):
    v = x[at[0::2]] * jnp.sin(w)
    return v * x[at[1::2]], jnp.zeros_like(x).at[at[1::2]].add(v * w)


def stencil(ints, u, k):
    n, m = ints
    u, k = u.reshape(n, m), k.reshape(n, m)
    e = jnp.pad(u, 1, mode="edge")
    around = e[:-2, 1:-1] + e[2:, 1:-1] + e[1:-1, :-2] + e[1:-1, 2:]
    return (u + k * (around - 4 * u) * u,)


def loop(ints, p, x):
    i, turns = np.arange(len(x)), len(p)
    v, s = x, 0.5 * jnp.ones_like(x)
    for k in range(turns):
        v = v * jnp.cos(s) + p[k]
        s = s * 0.9 + jnp.tanh(v) * p[(k + i) % turns]
    return (v * s,)


def branches(ints, x):
    def one(x):
        v, out = x, jnp.array(False)
        for k in range(ints[0]):
            large, small = v > 3, v < 0.2
            other = v * (1.7 - 0.1 * x) if k % 2 == 0 else v * v * 0.8 + 0.05
            v, out = jnp.where(out, v, jnp.where(large, jnp.log(jnp.where(large, v, 4.0)), jnp.where(small, v, other))), out | (small & ~large)
        return jnp.where(x > 1, jnp.sqrt(v * v + 1), v)

    return (jax.vmap(one)(x),)


def atomics(ints, x):
    d = x[None, :] - jnp.arange(ints[0])[:, None] / 4
    return (jnp.exp(-d * d) * x[None, :]).sum(axis=1), (x * x).reshape(-1, 3).max(axis=0)


def product(ints, x, y):
    n, m, k = ints
    return (x.reshape(n, k) @ y.reshape(k, m),)


def decompose(ints, m, b):
    m, b = m.reshape(-1, 3, 3), b.reshape(-1, 3)
    u, s, vh = jnp.linalg.svd(m)
    return (u * s[:, None, :] ** 3) @ vh, s, jnp.linalg.solve(m, b[:, :, None])


def attention(ints, q, k, v):
    q, k, v = (a.reshape(-1, 8) for a in (q, k, v))
    return (jax.nn.softmax(q @ k.T, axis=1) @ v,)


def bodies(ints, mass, p, v):
    p, v = p.reshape(-1, 3), v.reshape(-1, 3)
    d = p[None, :, :] - p[:, None, :]
    r = (d * d).sum(axis=2) + 0.01
    a = (d * (mass[None, :] / (r * jnp.sqrt(r)))[:, :, None]).sum(axis=1)
    return (p + (v + a * 0.01) * 0.01,)


def points(ints, x, v, f):
    n = ints[0]
    x, v, f = x.reshape(-1, 2), v.reshape(-1, 2), f.reshape(-1, 2, 2)
    base = jax.lax.stop_gradient(x * n - 0.5).astype(int)
    at = x * n - base
    w = jnp.stack([0.5 * (1.5 - at) ** 2, 0.75 - (at - 1) ** 2, 0.5 * (at - 0.5) ** 2])
    j = f[:, 0, 0] * f[:, 1, 1] - f[:, 0, 1] * f[:, 1, 0]
    inverse = jnp.linalg.inv(f).transpose(0, 2, 1)
    stress = (f - inverse + inverse * jnp.log(j)[:, None, None]) @ f.transpose(0, 2, 1) * 0.1
    grid = jnp.zeros((n * n, 3))
    for a in range(3):
        for b in range(3):
            weight = w[a, :, 0] * w[b, :, 1]
            d = base + np.array([a, b]) - x * n
            momentum = (v - jnp.einsum("pij,pj->pi", stress, d)) * weight[:, None]
            grid = grid.at[(base[:, 0] + a) * n + base[:, 1] + b].add(jnp.concatenate([momentum, weight[:, None]], axis=1))
    mass = grid[:, 2]
    some = mass > 0
    speed = jnp.where(some[:, None], grid[:, :2] / jnp.where(some, mass, 1)[:, None] - np.array([0, 0.05]), 0)
    to, c = 0, 0
    for a in range(3):
        for b in range(3):
            d = base + np.array([a, b]) - x * n
            there = speed[(base[:, 0] + a) * n + base[:, 1] + b] * (w[a, :, 0] * w[b, :, 1])[:, None]
            to, c = to + there, c + there[:, :, None] * d[:, None, :]
    return x + to * 0.01, f + c @ f * 0.04


cases = {f.__name__: f for f in (gather, stencil, loop, branches, atomics, product, decompose, attention, bodies, points)}
for line in sys.stdin:
    request = json.loads(line)
    f = cases[request["name"]]
    ints = np.array(request["ints"], dtype=int)
    values, back = jax.vjp(lambda *x: f(ints, *x), *[jnp.array(x) for x in request["args"]])
    gradients = back(tuple(jnp.array(s).reshape(v.shape) for s, v in zip(request["seeds"], values)))
    print(json.dumps({"gradients": [np.asarray(g).ravel().tolist() for g in gradients]}), flush=True)
