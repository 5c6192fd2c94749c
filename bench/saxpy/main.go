// Saxpy is the program whose start the benchmarks time: it launches one kernel
// once on device "cpu" and checks the result. It prints how long it took to have
// the kernel ready, in nanoseconds.
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

//qd:kernel
func saxpy(t qd.Thread, a float32, x, y []float32) {
	i := t.ID()
	y[i] += a * x[i]
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	log.SetOutput(os.Stderr) // the handler has it since then
	log.SetFlags(0)
	dev, err := qd.Open("cpu")
	if err != nil {
		log.Fatal(err)
	}
	x, y := make([]float32, 1000), make([]float32, 1000)
	for i := range x {
		x[i], y[i] = float32(i), 1
	}
	start := time.Now()
	launch, err := dev.Bind(saxpy, qd.Dim(len(x)), 2.0, x, y)
	if err != nil {
		log.Fatal(err)
	}
	ready := time.Since(start)
	if err := launch.Launch(); err != nil {
		log.Fatal(err)
	}
	for i := range y {
		if y[i] != 2*float32(i)+1 {
			log.Fatalf("y[%d] = %v", i, y[i])
		}
	}
	fmt.Println(ready.Nanoseconds())
}
