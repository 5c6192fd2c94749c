package main

import (
	"flag"
	"fmt"
	"log"
	"log/slog"
	"os"
	"regexp"
	"runtime"
	"slices"
	"time"
)

// A result is one measured ratio, or one measured time with nothing beside it.
type result struct {
	name   string
	ours   time.Duration
	theirs time.Duration // 0 where there is no other side
	bound  string        // what the project has set itself
	note   string
}

// A section measures some results that belong together. An error is something
// missing: it is reported by name, and the other sections run.
type section struct {
	name string
	run  func() ([]result, error)
}

var repeats = flag.Int("n", 15, "repeats of each measurement; the median counts")

func main() {
	log.SetFlags(0)
	pattern := flag.String("run", "", "regular expression: only the sections that match")
	flag.Parse()
	re, err := regexp.Compile(*pattern)
	if err != nil {
		log.Fatalf("-run: %v", err)
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))

	fmt.Printf("%s/%s, %d cores, %s\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	fmt.Printf("%-34s %14s %14s %8s   %s\n", "", "qdgen", "beside", "ratio", "bound")
	failed := false
	for _, s := range []section{
		{"cold", cold}, {"emit", emitting}, {"warm", warm}, {"launch", launching}, {"throughput", throughput}, {"gpu", gpu},
	} {
		if !re.MatchString(s.name) {
			continue
		}
		results, err := s.run()
		for _, r := range results {
			fmt.Printf("%-34s %14s %14s %8s   %s\n", r.name, show(r.ours), show(r.theirs), ratio(r), r.bound)
			if r.note != "" {
				fmt.Printf("    %s\n", r.note)
			}
		}
		if err != nil {
			fmt.Printf("%-34s not measured: %v\n", s.name, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

func show(d time.Duration) string {
	switch {
	case d == 0:
		return ""
	case d < 10*time.Microsecond:
		return fmt.Sprintf("%.0f ns", float64(d.Nanoseconds()))
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.3f ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%.1f ms", d.Seconds()*1e3)
}

func ratio(r result) string {
	if r.theirs == 0 {
		return ""
	}
	return fmt.Sprintf("%.3f", r.ours.Seconds()/r.theirs.Seconds())
}

// sideBySide times two functions in turns and gives their medians.
func sideBySide(a, b func() (time.Duration, error)) (da, db time.Duration, err error) {
	var as, bs []time.Duration
	for i := range *repeats + 1 {
		ta, err := a()
		if err != nil {
			return 0, 0, err
		}
		tb, err := b()
		if err != nil {
			return 0, 0, err
		}
		if i > 0 { // the first turn warms both up
			as, bs = append(as, ta), append(bs, tb)
		}
	}
	return median(as), median(bs), nil
}

// median sorts its argument.
func median(ds []time.Duration) time.Duration {
	slices.Sort(ds)
	return ds[len(ds)/2]
}

// timed makes a function that times another.
func timed(f func() error) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		start := time.Now()
		err := f()
		return time.Since(start), err
	}
}
