"""Warp's own example core/example_raymarch.py, driven from standard input.

Arguments: width, height. It answers every line with the nanoseconds that a picture took
on device cpu, "turn" with the camera's quaternion, and "mean" with the mean of all pixels.
"""

import sys
import time

import warp as wp

wp.config.quiet = True
from warp.examples.core import example_raymarch  # noqa: E402

width, height = int(sys.argv[1]), int(sys.argv[2])
with wp.ScopedDevice("cpu"):
    example = example_raymarch.Example(height=height, width=width)
    for line in sys.stdin:
        word = line.strip()
        if word == "turn":
            print(*[float(v) for v in example.cam_rot], flush=True)
        elif word == "mean":
            print(float(example.pixels.numpy().mean()), flush=True)
        else:
            start = time.perf_counter_ns()
            wp.launch(
                kernel=example_raymarch.draw,
                dim=width * height,
                inputs=[example.cam_pos, example.cam_rot, width, height, example.pixels],
            )
            wp.synchronize()
            print(time.perf_counter_ns() - start, flush=True)
