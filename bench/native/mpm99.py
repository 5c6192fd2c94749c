"""Taichi's own example simulation/mpm99.py, driven from standard input.

Arguments: quality, threads. A line with a number takes as many steps and answers with
the nanoseconds that they took; "means" answers with the mean position of each material.
"""

import os
import sys
import time

import numpy as np
import taichi as ti

quality, threads = int(sys.argv[1]), int(sys.argv[2])
path = os.path.join(os.path.dirname(ti.__file__), "examples", "simulation", "mpm99.py")
with open(path) as f:
    text = f.read()
text = text.replace("ti.init(arch=ti.gpu)", "ti.init(arch=ti.cpu, cpu_max_num_threads=%d, log_level=ti.ERROR)" % threads)
text = text.replace("quality = 1 ", "quality = %d " % quality)

# Taichi reads the source of kernels from a file: this is its name.
name = sys.argv[3]
with open(name, "w") as f:
    f.write(text)
example = {"__name__": "mpm99"}
exec(compile(text, name, "exec"), example)

example["initialize"]()
n = example["n_particles"]
i = np.arange(n)
group = i // example["group_size"]
x = np.stack([(i * 0.7548776662466927) % 1 * 0.2 + 0.3 + 0.10 * group, (i * 0.5698402909980532) % 1 * 0.2 + 0.05 + 0.32 * group], axis=1)
example["x"].from_numpy(x.astype(np.float32))
for line in sys.stdin:
    if line.strip() == "means":
        x = example["x"].to_numpy()
        print(*[v for k in range(3) for v in x[group == k].mean(axis=0)], flush=True)
        continue
    start = time.perf_counter_ns()
    for _ in range(int(line)):
        example["substep"]()
    ti.sync()
    print(time.perf_counter_ns() - start, flush=True)
