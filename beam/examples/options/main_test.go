package main

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/qdgen/qd/beam/examples/internal/launch"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init() // a worker never returns from here
	os.Exit(m.Run())
}

// The table of a book has a line for each desk, and its prices are those of the closed form: [line] is an error
// otherwise, which is the pipeline's.
func TestOptions(t *testing.T) {
	name := filepath.Join(t.TempDir(), "table")
	const per, paths = 2, 2000
	result, err := priceBook(t.Context(), name, per, paths)
	if err != nil {
		t.Fatal(err)
	}
	// Each option is priced once, and its quote is reduced once.
	if c := launch.Counts(result); c.Elements != 2*kinds*per || c.Launches < 2 || c.Timed != c.Launches {
		t.Errorf("the metrics are %+v, for %d options", c, kinds*per)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i, desk := range []string{"calm", "lively", "usual", "wild"} {
		if len(lines) != 4 || !strings.HasPrefix(lines[i], desk) || !strings.Contains(lines[i], " 40 options") {
			t.Fatalf("the table is\n%s", text)
		}
	}
}

// The closed form knows what a call and a put differ by.
func TestClosed(t *testing.T) {
	for _, strike := range []float64{80, 100, 125} {
		call := Option{Spot: 100, Strike: strike, Years: 0.75, Rate: 0.03, Sigma: 0.3}
		put := call
		put.Put = true
		if got, want := call.closed()-put.closed(), 100-strike*math.Exp(-0.03*0.75); math.Abs(got-want) > 1e-9 {
			t.Errorf("strike %v: call - put = %v, want %v", strike, got, want)
		}
	}
}

// Prices that are not those of the closed form are an error.
func TestWrong(t *testing.T) {
	if _, err := line("calm", Summary{Options: 10, Value: 107, Variance: 1, Closed: 100}); err == nil {
		t.Error("a difference of 7 standard deviations is none")
	}
	if _, err := line("calm", Summary{Options: 10, Value: 101, Variance: 1, Closed: 100, Worst: 8}); err == nil {
		t.Error("an option that is 8 standard deviations off is right")
	}
}
