// Many is the program whose building of many specializations the benchmarks time: 200 of
// one kernel, on device "cpu". It prints how long that took, and what of it was the front
// end's and the printer's work, in nanoseconds.
package main

import (
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"time"

	"github.com/qdgen/qd"
)

// many is how many specializations are built.
const many = 200

// blur is a filter of n.V points on each side: for few of them unrolled, for more a loop.
//
//qd:kernel
func blur(t qd.Thread, n qd.Const[int], weight float32, x, y []float32) {
	i := t.ID()
	sum := x[i]
	scale := weight / float32(2*n.V+1)
	for k := range n.V {
		left, right := i-k-1, i+k+1
		if left >= 0 {
			sum += x[left] * scale
		}
		if right < len(x) {
			sum += x[right] * scale
		}
	}
	if n.V%3 == 1 {
		sum = max(sum, float32(n.V))
	}
	y[i] = sum
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	log.SetOutput(os.Stderr) // the handler has it since then
	log.SetFlags(0)
	dev, err := qd.Open("cpu")
	if err != nil {
		log.Fatal(err)
	}
	var specs []any
	for n := range many {
		specs = append(specs, qd.Spec(blur, qd.C(n)))
	}
	start := time.Now()
	if err := dev.Build(specs...); err != nil {
		log.Fatal(err)
	}
	fmt.Println(time.Since(start).Nanoseconds())
}
