// Bench measures what Beam adds to a kernel, and what package qdbeam adds to Beam: a pipeline that maps a kernel
// over a collection, beside the sum of the kernel alone in one process and the same pipeline with
// a function that does nothing.
//
// The pipeline runs on Prism in this process. Its steps are one stage: the elements do not leave it, so that nothing but the
// step itself is measured.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"math"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/qdgen/qd"
	qdbeam "github.com/qdgen/qd/beam"
	"github.com/qdgen/qd/internal/processor"
)

//go:generate go tool qdgen gen

// price is the closed form of Black and Scholes for a call of one year, by its strike.
//
//qd:kernel
func price(t qd.Thread, strike, out []float64) {
	const spot, rate, sigma = 100, 0.03, 0.25
	k := strike[t.ID()]
	d1 := (math.Log(spot/k) + rate + sigma*sigma/2) / sigma
	d2 := d1 - sigma
	out[t.ID()] = spot*normal(d1) - k*math.Exp(-rate)*normal(d2)
}

// normal is the distribution function of the normal distribution.
func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

func strike(i int) float64 { return 50 + float64(i%1000)/10 }

// sourceFn emits N strikes.
type sourceFn struct{ N int }

// ProcessElement is called once.
func (f *sourceFn) ProcessElement(_ []byte, emit func(float64)) {
	for i := range f.N {
		emit(strike(i))
	}
}

func identity(x float64) float64 { return x }

// sumFn emits the sum of a bundle, so that the stage has a result: Prism spins while a stage without one runs.
type sumFn struct{ sum float64 }

// StartBundle is called before the elements.
func (f *sumFn) StartBundle(func(float64)) { f.sum = 0 }

// ProcessElement is called for each element.
func (f *sumFn) ProcessElement(x float64, _ func(float64)) { f.sum += x }

// FinishBundle is called after the elements.
func (f *sumFn) FinishBundle(emit func(float64)) { emit(f.sum) }

// got is the sum of what a pipeline in this process has computed.
var got float64

func sink(x float64) { got += x }

func init() {
	qdbeam.Register(price)
	beam.RegisterDoFn(&sourceFn{})
	register.Emitter1[float64]()
	register.Function1x1(identity)
	register.DoFn2x0[float64, func(float64)](&sumFn{})
	register.Function1x0(sink)
}

func main() {
	n := flag.Int("n", 10_000_000, "elements")
	repeat := flag.Int("repeat", 5, "runs of each side, in turns")
	inProcessorTime := flag.Bool("processor", false, "measure processor time of all threads: on a machine that is busy with other work")
	batch := flag.Int("batch", 0, "elements of a batch; 0 is the default")
	flag.Parse()
	beam.Init()
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))

	in, out := make([]float64, *n), make([]float64, *n)
	for i := range in {
		in[i] = strike(i)
	}
	kernel := func() {
		if err := qd.Launch(price, qd.Dim(*n), in, out); err != nil {
			log.Fatal(err)
		}
	}
	pipeline := func(step func(s beam.Scope, col beam.PCollection) beam.PCollection) func() {
		return func() {
			got = 0
			p, s := beam.NewPipelineWithRoot()
			sum := beam.ParDo(s, &sumFn{}, step(s, beam.ParDo(s, &sourceFn{*n}, beam.Impulse(s))))
			beam.ParDo0(s, sink, beam.Reshuffle(s, sum))
			if _, err := prism.Execute(context.Background(), p); err != nil {
				log.Fatal(err)
			}
		}
	}
	var options []qdbeam.Option
	if *batch > 0 {
		options = append(options, qdbeam.Batch(*batch))
	}
	idle := pipeline(func(s beam.Scope, col beam.PCollection) beam.PCollection { return beam.ParDo(s, identity, col) })
	mapped := pipeline(func(s beam.Scope, col beam.PCollection) beam.PCollection {
		return qdbeam.Map(s, price, col, options...)
	})

	kernel() // compiles
	want := 0.0
	for _, x := range out {
		want += x
	}
	var alone, empty, whole []time.Duration
	for range *repeat {
		alone = append(alone, timed(kernel, *inProcessorTime))
		empty = append(empty, timed(idle, *inProcessorTime))
		whole = append(whole, timed(mapped, *inProcessorTime))
		if math.Abs(got-want) > 1e-9*want {
			log.Fatalf("the pipeline computed %v, not %v", got, want)
		}
	}
	dev, err := qd.Default()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s/%s, %d cores, %s, %s\n%d elements, medians of %d\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), dev.Description(), *n, *repeat)
	a, e, w := median(alone), median(empty), median(whole)
	row := func(name string, d time.Duration) {
		fmt.Printf("%-42s %8.3f s %8.1f ns an element\n", name, d.Seconds(), float64(d.Nanoseconds())/float64(*n))
	}
	row("the kernel alone", a)
	row("a pipeline that does nothing", e)
	row("their sum", a+e)
	row("a pipeline that maps the kernel", w)
	fmt.Printf("%-42s %8.3f   <= 1.100\n", "ratio", float64(w)/float64(a+e))
}

// timed is how long f takes, or in what processor time.
func timed(f func(), inProcessorTime bool) time.Duration {
	runtime.GC()
	clock := func() time.Duration {
		if inProcessorTime {
			return processor.Own()
		}
		return time.Duration(time.Now().UnixNano())
	}
	start := clock()
	f()
	return clock() - start
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}
