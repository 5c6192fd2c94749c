// Options prices a book of options by Monte Carlo on all workers, reduces it to a table, and
// checks the prices against the closed form.
//
// With -workers 3 it runs on Prism with three processes of its own; Beam's flags choose another runner:
//
//	options -runner universal -endpoint localhost:8099 -environment_type PROCESS -environment_config '{"command": "boot"}'
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/qdgen/qd"
	qdbeam "github.com/qdgen/qd/beam"
	"github.com/qdgen/qd/beam/examples/internal/launch"
)

//go:generate go tool qdgen gen

// bookFn emits the options of a book: Per of each combination of a desk, a strike and a maturity. What an option is
// follows from its number, so that the book is the same wherever it is made.
type bookFn struct{ Per int }

// ProcessElement emits the positions of one desk.
func (f *bookFn) ProcessElement(desk int, emit func(string, Option)) {
	n := 0
	for _, strike := range []float64{80, 90, 100, 110, 120} {
		for _, years := range []float64{0.25, 0.5, 1, 2} {
			for i := range f.Per {
				n++
				emit(desks[desk].name, Option{
					Spot: 100 + float64(i%7) - 3, Strike: strike, Years: years, Rate: 0.03,
					Sigma: desks[desk].sigma, Put: i%2 == 1, Seed: int64(desk)<<32 | int64(n),
				})
			}
		}
	}
}

// kinds are the combinations of a desk, a strike and a maturity.
const kinds = 4 * 5 * 4

var desks = []struct {
	name  string
	sigma float64
}{{"calm", 0.1}, {"usual", 0.2}, {"lively", 0.35}, {"wild", 0.6}}

// line is a row of the table, and is an error if the prices are not what the closed form says. The difference
// of the book's value is a sum of independent errors, which six of their standard deviations bound.
func line(desk string, s Summary) (string, error) {
	difference := s.Value - s.Closed
	text := fmt.Sprintf("%-8s %7d options  %14.4f  closed form %14.4f  difference %8.4f ± %.4f  worst %4.1f σ",
		desk, s.Options, s.Value, s.Closed, difference, math.Sqrt(s.Variance), s.Worst)
	if math.Abs(difference) > 6*math.Sqrt(s.Variance) || s.Worst > 7 {
		return "", fmt.Errorf("the prices are wrong: %s", text)
	}
	return text, nil
}

func init() {
	qdbeam.Register(Price, Summarize, Merge)
	beam.RegisterDoFn(&bookFn{})
	register.Emitter2[string, Option]()
	register.Function2x2(line)
}

func main() {
	per := flag.Int("per", 50, "options of each desk, strike and maturity")
	paths := flag.Int("paths", 20000, "paths of each option")
	out := flag.String("o", "", "file for the table, on a file system that all workers share; otherwise a temporary one")
	flag.Parse()
	beam.Init() // a worker never returns from here
	name := *out
	if name == "" {
		dir, err := os.MkdirTemp("", "options")
		if err != nil {
			log.Fatal(err)
		}
		defer os.RemoveAll(dir)
		name = dir + "/table"
	}

	start := time.Now()
	result, err := priceBook(context.Background(), name, *per, *paths)
	if err != nil {
		log.Fatal(err)
	}
	took := time.Since(start)
	text, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(text)
	launch.Report(os.Stdout, result)
	n := kinds * *per
	fmt.Printf("%d options of %d paths in %v\n", n, *paths, took.Round(time.Millisecond))
}

// priceBook writes the table of a book, of which each kind has so many options.
func priceBook(ctx context.Context, name string, per, paths int) (beam.PipelineResult, error) {
	p, s := beam.NewPipelineWithRoot()
	book := beam.Reshuffle(s, beam.ParDo(s, &bookFn{per}, beam.Create(s, 0, 1, 2, 3)))
	quotes := qdbeam.MapKV(s, Price, book, qdbeam.Args(qd.C(paths)), qdbeam.Batch(1000))
	table := beam.ParDo(s, line, qdbeam.Combine(s, Summarize, Merge, quotes))
	launch.Write(s, name, table)
	return launch.Run(ctx, p)
}
