package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/qdgen/qd"
)

// gpuHost is the median time that a launch takes the host. The device is waited for between the batches.
func gpuHost(dev *qd.Device, launch func() error) (time.Duration, error) {
	if err := errors.Join(launch(), dev.Wait()); err != nil { // compiles and loads
		return 0, err
	}
	var times []time.Duration
	for range *repeats {
		start := time.Now()
		for range gpuBatch {
			if err := launch(); err != nil {
				return 0, err
			}
		}
		times = append(times, time.Since(start)/time.Duration(gpuBatch))
		if err := dev.Wait(); err != nil {
			return 0, err
		}
	}
	return median(times), nil
}

// The longest that a batch of launches should take, and all batches of a measurement.
const (
	gpuLongBatch = 10 * time.Millisecond
	gpuLongAll   = 500 * time.Millisecond
)

// gpuMostLaunches is how many launches a batch has at most. The tests make it smaller.
var gpuMostLaunches = 500

// gpuTime is the median time of a launch, in batches that the device is waited for. Long ones have fewer repeats.
func gpuTime(dev *qd.Device, launch func() error) (time.Duration, error) {
	batch := func(n int) (time.Duration, error) {
		return timed(func() error {
			for range n {
				if err := launch(); err != nil {
					return err
				}
			}
			return dev.Wait()
		})()
	}
	if _, err := batch(1); err != nil { // warms all up
		return 0, err
	}
	one, err := batch(1)
	if err != nil {
		return 0, err
	}
	n := int(min(max(gpuLongBatch/max(one, 1), 1), time.Duration(gpuMostLaunches)))
	var times []time.Duration
	for start := time.Now(); len(times) < *repeats && (len(times) < 3 || time.Since(start) < gpuLongAll); {
		d, err := batch(n)
		if err != nil {
			return 0, err
		}
		times = append(times, d/time.Duration(n))
	}
	return median(times), nil
}

// gpuLaunches times what a launch costs the host.
func gpuLaunches(dev *qd.Device) ([]result, error) {
	prepared, err := dev.Bind(empty, qd.Dim(1))
	if err != nil {
		return nil, err
	}
	again, err := gpuHost(dev, prepared.Launch)
	if err != nil {
		return nil, err
	}
	full, err := gpuHost(dev, func() error { return dev.Launch(empty, qd.Dim(1)) })
	if err != nil {
		return nil, err
	}
	x, y := qd.Zeros[float32](dev, 16), qd.Zeros[int32](dev, 16)
	eight, err := gpuHost(dev, func() error { return dev.Launch(emptyEight, qd.Dim(1), x, x, y, y, 3, 0.5, 0.25, true) })
	if err != nil {
		return nil, err
	}
	wait, err := gpuTime(dev, func() error { return errors.Join(prepared.Launch(), dev.Wait()) })
	return []result{
		{name: "gpu: prepared launch", ours: again, note: "the host's time"},
		{name: "gpu: Launch", ours: full, note: "the host's time"},
		{name: "gpu: Launch, 8 arguments", ours: eight, note: "the host's time"},
		{name: "gpu: prepared launch and Wait", ours: wait},
	}, err
}

// gpuGraphLength is how many kernels the graph has.
const gpuGraphLength = 100

// gpuGraph times a recorded graph of launches beside the same launches on a stream, until they have run.
func gpuGraph(dev *qd.Device) ([]result, error) {
	x := qd.Zeros[float32](dev, 1024)
	y := qd.Zeros[float32](dev, 1024)
	graph, err := dev.Record(func(s *qd.Stream) error {
		for range gpuGraphLength {
			if err := s.Launch(saxpy, qd.Dim(x.Len()), 0.5, x, y); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	defer graph.Close()
	prepared, err := dev.Bind(saxpy, qd.Dim(x.Len()), 0.5, x, y)
	if err != nil {
		return nil, err
	}
	one, err := gpuTime(dev, graph.Launch)
	if err != nil {
		return nil, err
	}
	host, err := gpuHost(dev, graph.Launch)
	if err != nil {
		return nil, err
	}
	single, err := gpuTime(dev, prepared.Launch)
	return []result{
		{name: "gpu: graph of 100, per kernel", ours: one / gpuGraphLength, theirs: single, note: "until it has run; beside: prepared launches of the same kernel, saxpy of 1024"},
		{name: "gpu: graph of 100, its launch", ours: host, note: "the host's time, of all"},
	}, err
}

// gpuColdKernel is set for a process that only brings one kernel to its first launch: see gpuColdCases.
const gpuColdKernel = "QD_BENCH_COLD"

// gpuColdCases time the way from the source to the first launch, in fresh processes: with an empty cache, which takes
// the front end, NVRTC and the driver, and with what the one before has left in it.
func gpuColdCases() (list []gpuCase) {
	for _, name := range []string{"saxpy", "matmul"} {
		list = append(list, gpuCase{"cold " + name, func(*qd.Device) ([]result, error) {
			var cold []time.Duration
			var warm time.Duration
			for i := range min(*repeats, 3) {
				dir, err := os.MkdirTemp("", "qdgen-bench-")
				if err != nil {
					return nil, err
				}
				defer os.RemoveAll(dir)
				d, err := gpuFirst(name, dir)
				if err != nil {
					return nil, err
				}
				cold = append(cold, d)
				if i > 0 {
					continue
				}
				if warm, err = gpuFirst(name, dir); err != nil {
					return nil, err
				}
			}
			return []result{{name: "gpu: cold, " + name, ours: median(cold), theirs: warm, note: "from Go source to the end of the first launch on an open device; beside: with a warm cache"}}, nil
		}})
	}
	return list
}

// gpuFirst starts a process that brings a kernel to its first launch, with a cache directory.
func gpuFirst(name, cacheDir string) (time.Duration, error) {
	exe, err := os.Executable()
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append(os.Environ(), gpuColdKernel+"="+name, "QD_CACHE="+cacheDir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%v\n%s", err, out)
	}
	ns, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return time.Duration(ns), err
}

// gpuColdProcess is what such a process does. It prints the nanoseconds, and gives its exit status.
func gpuColdProcess(name string) int {
	d, err := gpuColdTime(name)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println(d.Nanoseconds())
	return 0
}

func gpuColdTime(name string) (time.Duration, error) {
	dev, err := qd.Open("cuda:0")
	if err != nil {
		return 0, err
	}
	if err := dev.Wait(); err != nil {
		return 0, err
	}
	launch := func() error {
		x, y := qd.Zeros[float32](dev, 1024), qd.Zeros[float32](dev, 1024)
		return dev.Launch(saxpy, qd.Dim(x.Len()), 0.5, x, y)
	}
	if name == "matmul" {
		launch = func() error {
			c := gpuHalfConfigs[0]
			x, y, z := qd.Zeros[qd.Float16](dev, c.M, c.K), qd.Zeros[qd.Float16](dev, c.K, c.N), qd.Zeros[float32](dev, c.M, c.N)
			return dev.Launch(c.of(gpuMatmul[qd.Float16]), c.grid(c.M, c.N), qd.C(c), x, y, z)
		}
	}
	return timed(func() error { return errors.Join(launch(), dev.Wait()) })()
}
