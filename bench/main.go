package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"os"
	"regexp"
	"runtime"
	"slices"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/processor"
	"github.com/qdgen/qd/nvrtc"
)

// A section measures some results that belong together. The other sections run
// when it gives an error: one about what the machine lacks says that the section is
// not measured, any other is a failure.
type section struct {
	name string
	run  func() ([]result, error)
}

var repeats = flag.Int("n", 15, "repeats of each measurement; the median counts")

// Wall-clock time says little on a machine that is busy with other work.
var byProcessor = flag.Bool("processor", false, "measure processor time instead of wall-clock time; set GOMAXPROCS=1 and OMP_NUM_THREADS=1 to compare kernels")

func main() {
	if times := os.Getenv(timesFile); times != "" {
		os.Exit(timedTool(times, os.Args[1:]))
	}
	if name := os.Getenv(gpuColdKernel); name != "" {
		os.Exit(gpuColdProcess(name))
	}
	log.SetFlags(0)
	pattern := flag.String("run", "", "regular expression: only the sections that match")
	flag.Parse()
	re, err := regexp.Compile(*pattern)
	if err != nil {
		log.Fatalf("-run: %v", err)
	}
	if *repeats < 1 {
		log.Fatalf("-n %d: the median of at least one repeat is needed", *repeats)
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))

	fmt.Printf("%s/%s, %d cores, %s\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	fmt.Printf(row, "", "qdgen", "beside", "ratio", "bound")
	failed, broken := false, false
	for _, s := range append(building(), []section{
		{"cold", cold}, {"explain", explaining}, {"front end", frontEnd}, {"emit", emitting}, {"unroll", unrolling}, {"unpacked", unpacked}, {"decomposing", decomposing},
		{"warm", warm}, {"remote", remotely}, {"specializing", specializing}, {"many kernels", manyKernels},
		{"launch", launching}, {"tape", taping}, {"constants", constants}, {"throughput", throughput}, {"lanes", lanes}, {"indexing", indexing}, {"branching", branching}, {"wide", wide}, {"structs", structs}, {"arrays", arrays}, {"mpm", mpm}, {"blocks", blocks}, {"tiles", tiles}, {"tuning", tuning12}, {"par", parallel}, {"linalg", linalg}, {"math", mathematics}, {"sharing", sharing}, {"checked", checked}, {"gpu", gpu},
		{"taichi", taichi}, {"warp", warp}, {"gradients", gradientOracle}, {"gradients, gathered", gathering}, {"gradients, speed", backward},
	}...) {
		if !re.MatchString(s.name) {
			continue
		}
		results, err := s.run()
		for _, r := range results {
			fmt.Print(r)
			broken = broken || r.broken()
		}
		switch {
		case isMissing(err):
			fmt.Printf("%-34s not measured: %v\n", s.name, err)
		case err != nil:
			fmt.Printf("%-34s FAILED: %v\n", s.name, err)
			failed = true
		}
	}
	if broken {
		fmt.Println("\n! breaks its bound on this machine")
	}
	if failed {
		os.Exit(1)
	}
}

// A missingError is something that a section needs and the machine lacks.
type missingError struct{ text string }

func (e *missingError) Error() string { return e.text }

func missing(format string, args ...any) error { return &missingError{fmt.Sprintf(format, args...)} }

// isMissing reports whether an error is about what the machine lacks: a tool, a
// compiler, a GPU.
func isMissing(err error) bool {
	var (
		tool     *missingError
		device   *qd.MissingError
		compiler *clang.MissingError
		library  *nvrtc.MissingError
	)
	return errors.As(err, &tool) || errors.As(err, &device) || errors.As(err, &compiler) || errors.As(err, &library)
}

// sideBySide times two functions in turns and gives their medians.
func sideBySide(a, b func() (time.Duration, error)) (da, db time.Duration, err error) {
	as, bs, err := inTurns(*repeats, a, b)
	if err != nil {
		return 0, 0, err
	}
	return median(as), median(bs), nil
}

// inTurns times two functions in turns, n times each.
func inTurns(n int, a, b func() (time.Duration, error)) (as, bs []time.Duration, err error) {
	times, err := allInTurns(n, a, b)
	if err != nil {
		return nil, nil, err
	}
	return times[0], times[1], nil
}

// allInTurns times functions in turns, n times each.
func allInTurns(n int, fs ...func() (time.Duration, error)) ([][]time.Duration, error) {
	times := make([][]time.Duration, len(fs))
	for i := range n + 1 {
		for k, f := range fs {
			d, err := f()
			if err != nil {
				return nil, err
			}
			if i > 0 { // the first turn warms all up
				times[k] = append(times[k], d)
			}
		}
	}
	return times, nil
}

// median sorts its argument.
func median(ds []time.Duration) time.Duration {
	slices.Sort(ds)
	return ds[len(ds)/2]
}

// timed makes a function that times another.
func timed(f func() error) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		if *byProcessor {
			start := processor.Own()
			err := f()
			return processor.Own() - start, err
		}
		start := time.Now()
		err := f()
		return time.Since(start), err
	}
}
