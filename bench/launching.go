package main

import (
	"testing"
	"time"

	"github.com/qdgen/qd"
)

// launching times launches of an empty kernel of one thread on device "cpu".
func launching() ([]result, error) {
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
	full, _ := bench(func() error { return dev.Launch(empty, qd.Dim(1)) })
	note := ""
	if allocs != 0 {
		note = "the prepared launch allocates"
	}
	return []result{
		{name: "prepared launch", ours: again, bound: "<= 500 ns, no allocation", note: note},
		{name: "qd.Launch", ours: full, bound: "<= 2000 ns"},
	}, inner
}
