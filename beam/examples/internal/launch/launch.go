// Package launch is what the examples have in common: they run on Prism with processes of their own, or on the runner that
// Beam's flags name.
package launch

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal" // -runner universal
	"github.com/qdgen/qd/beam/crew"
)

var workers = flag.Int("workers", 2, "processes, unless -runner names another runner")

// Run runs a pipeline.
func Run(ctx context.Context, p *beam.Pipeline) (beam.PipelineResult, error) {
	if *runners.Runner != "" {
		return beam.Run(ctx, *runners.Runner, p)
	}
	return crew.Run(ctx, p, crew.Config{Workers: *workers})
}

// A Count is what the metrics of the kernels are.
type Count struct {
	Launches, Elements int64
	Timed              int64 // launches whose time is known
	Micros             int64 // the sum of these times
}

// Counts adds the metrics of all kernels.
func Counts(result beam.PipelineResult) (c Count) {
	m := result.Metrics().Query(func(r beam.MetricResult) bool { return r.Namespace() == "qdbeam" })
	for _, counter := range m.Counters() {
		switch counter.Name() {
		case "launches":
			c.Launches += counter.Result()
		case "elements":
			c.Elements += counter.Result()
		}
	}
	for _, d := range m.Distributions() {
		c.Timed += d.Result().Count
		c.Micros += d.Result().Sum
	}
	return c
}

// Report prints the metrics of the kernels.
func Report(w io.Writer, result beam.PipelineResult) {
	c := Counts(result)
	fmt.Fprintf(w, "%d launches over %d elements, %.3f s on devices\n", c.Launches, c.Elements, float64(c.Micros)/1e6)
}

// Write writes the lines of a collection to a file, sorted.
func Write(s beam.Scope, name string, lines beam.PCollection) {
	keyed := beam.AddFixedKey(s, lines)
	beam.ParDo0(s, &writeFn{name}, beam.GroupByKey(s, keyed))
}

func init() {
	beam.RegisterDoFn(&writeFn{})
	register.Iter1[string]()
}

// writeFn writes a file. It may be called again: the file is complete or not there.
type writeFn struct{ Name string }

// ProcessElement is called once.
func (f *writeFn) ProcessElement(_ context.Context, _ int, next func(*string) bool) error {
	var lines []string
	var line string
	for next(&line) {
		lines = append(lines, line+"\n")
	}
	slices.Sort(lines)
	return WriteFile(f.Name, []byte(strings.Join(lines, "")))
}

// WriteFile writes a file that is complete or not there.
func WriteFile(name string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".writing")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err := tmp.Write(data); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
