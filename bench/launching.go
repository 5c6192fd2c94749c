package main

import (
	"os"
	"testing"
	"time"

	"github.com/qdgen/qd"
)

// launchTurn is how many launches are timed at once.
const launchTurn = 20000

// launching times launches of an empty kernel of one thread on device "cpu", which
// it makes the default device meanwhile.
func launching() ([]result, error) {
	defer setenv("QD_DEVICE", "cpu")()
	dev, err := qd.Open("cpu")
	if err != nil {
		return nil, err
	}
	prepared, err := dev.Bind(empty, qd.Dim(1))
	if err != nil {
		return nil, err
	}
	var inner error
	bench := func(launch func() error) (time.Duration, int64) {
		r := testing.Benchmark(func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := launch(); err != nil {
					inner = err
					b.FailNow()
				}
			}
		})
		return time.Duration(r.NsPerOp()), r.AllocsPerOp()
	}
	again, allocs := bench(prepared.Launch)
	full, _ := bench(func() error { return qd.Launch(empty, qd.Dim(1)) })
	if inner != nil {
		return nil, inner
	}
	a, b := []float32{0}, []int32{0}
	eight, err := allInTurns(*repeats, timed(times(launchTurn, func() error {
		return dev.Launch(emptyEight, qd.Dim(1), a, a, b, b, 1, float32(2), 3.0, true)
	})))
	if err != nil {
		return nil, err
	}
	return []result{
		{name: "prepared launch", ours: again, allocs: allocs, bound: bound{time: 500 * time.Nanosecond, noAllocs: true}},
		{name: "qd.Launch", ours: full, bound: bound{time: 2 * time.Microsecond}},
		{name: "dev.Launch, 8 arguments", ours: median(eight[0]) / launchTurn, bound: bound{time: 400 * time.Nanosecond}},
	}, nil
}

// setenv sets an environment variable and gives the function that sets it back.
func setenv(name, value string) (restore func()) {
	old, was := os.LookupEnv(name)
	os.Setenv(name, value)
	return func() {
		if was {
			os.Setenv(name, old)
		} else {
			os.Unsetenv(name)
		}
	}
}
