package main

import (
	"os"
	"testing"
	"time"

	"github.com/qdgen/qd"
)

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
	return []result{
		{name: "prepared launch", ours: again, allocs: allocs, bound: bound{time: 500 * time.Nanosecond, noAllocs: true}},
		{name: "qd.Launch", ours: full, bound: bound{time: 2 * time.Microsecond}},
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
