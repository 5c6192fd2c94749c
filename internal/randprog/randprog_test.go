package randprog

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/corpus"
	"github.com/qdgen/qd/internal/testcache"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testmodule"
)

var (
	programs    = flag.Int("programs", 0, "random programs to try (default 300, of -short 60)")
	tiles       = flag.Int("tiles", 0, "random programs of tiles to try (default 60)")
	seed        = flag.Uint64("seed", 1, "seed of the first program; each has the next")
	duration    = flag.Duration("for", 0, "stop after this time")
	perBatch    = flag.Int("batch", 100, "programs in one batch")
	level       = flag.String("level", "-O1", "optimization of the C++ compiler")
	only        = flag.Uint("features", uint(Supported), "features, as the bits of type Features")
	save        = flag.String("save", "", "directory for the cases of programs that fail; they are shrunk")
	findingsMax = flag.Int("findings", 5, "stop after so many findings")
)

func newRunner(t *testing.T) *Runner {
	t.Helper()
	if raceDetector {
		t.Skip("the race detector sees nothing of other processes")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("elsewhere than on amd64 Go may fuse operations and convert floats differently")
	}
	testenv.Setup()
	c, err := clang.Find()
	if err != nil {
		testenv.Missing(t, err)
	}
	r := &Runner{Root: testenv.Root(), Dir: t.TempDir(), Compiler: c, Level: *level}
	if *programs == 0 && *tiles == 0 {
		// The programs are the same in each run.
		r.Keep = testcache.Value[[]byte]
		r.Link = func(binary string, build func(path string) error) error {
			return testmodule.Build("randprog-"+t.Name(), binary, build)
		}
	}
	return r
}

// TestRandomPrograms compares what random programs leave behind as Go, as C++ and as
// CUDA text behind the shim.
func TestRandomPrograms(t *testing.T) {
	n := *programs
	if n == 0 {
		n = 300
		if testing.Short() {
			n = 60
		}
	}
	r := newRunner(t)
	start := time.Now()
	tried, findings, batches := 0, 0, 0
	for tried < n && findings < *findingsMax && (*duration == 0 || time.Since(start) < *duration) {
		batches++
		batch := batchOf(batches, *seed+uint64(tried), min(*perBatch, n-tried))
		tried += len(batch)
		found, err := r.Run(batch)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found[:min(len(found), *findingsMax)] {
			findings++
			report(t, r, f)
		}
		if tried/1000 > (tried-len(batch))/1000 {
			t.Logf("%d programs, %d findings, %v", tried, findings, time.Since(start).Round(time.Second))
		}
	}
	if r.Large*3 > r.Launched {
		t.Errorf("%d of %d launches are too large for the CUDA text: the numbers among their arguments hide what it does", r.Large, r.Launched)
	}
	if n := len(r.Unordered); n*8 > r.Faulted+24 {
		t.Errorf("%d programs panic, and %d otherwise than in Go, more than what Go leaves open explains: %s", r.Faulted, n, strings.Join(r.Unordered, " "))
	}
	reportKilled(t, r, tried)
	t.Logf("%d programs from seed %d, %d launches; %d programs panic, %d otherwise, and %d launches were not compared with CUDA text for small ones, in %v (%v)", tried, *seed, r.Launched, r.Faulted, len(r.Unordered), r.Large, time.Since(start), r.Stages)
}

// reportKilled shows how many of the programs that were tried could not be compared.
func reportKilled(t *testing.T, r *Runner, tried int) {
	t.Helper()
	if len(r.Killed)*2 > tried {
		t.Errorf("most of %d programs were not compared", tried)
	}
	if len(r.Killed) > 0 {
		t.Logf("%d programs were not compared because the compiler was killed, such as %s", len(r.Killed), r.Killed[0])
	}
}

// report shows a finding, shrunk where cases are to be saved.
func report(t *testing.T, r *Runner, f Finding) {
	t.Helper()
	if *save == "" {
		t.Errorf("seed %d: %s: %s\n(run with -save DIR for a smaller program)\n%s", f.Program.Seed, f.Kind, f.Detail, f.Source())
		return
	}
	small, err := r.Shrink(f)
	if err != nil {
		t.Error(err)
	}
	t.Errorf("seed %d: %s: %s\n%s\n%s", small.Program.Seed, small.Kind, small.Detail, small.Whose(), small.Source())
	name, text := filepath.Join(*save, fmt.Sprintf("random_%d.txtar", f.Program.Seed)), small.Case()
	if text == nil {
		name, text = filepath.Join(*save, fmt.Sprintf("random_%d.go.txt", f.Program.Seed)), file("main", small.Source())
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Error(err)
	}
}

// TestRandomTiles compares what random programs of tiles leave behind as Go, as C++ and as CUDA text behind the shim.
func TestRandomTiles(t *testing.T) {
	n := *tiles
	if n == 0 {
		n = 60
	}
	r := newRunner(t)
	start := time.Now()
	tried, findings := 0, 0
	for tried < n && findings < *findingsMax && (*duration == 0 || time.Since(start) < *duration) {
		var batch []*Program
		for range min(*perBatch, n-tried) {
			s := *seed + uint64(tried)
			batch = append(batch, GenerateTiles(s, fmt.Sprint("_", s)))
			tried++
		}
		found, err := r.Run(batch)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			findings++
			t.Errorf("seed %d: %s: %s\n%s\n%s", f.Program.Seed, f.Kind, f.Detail, f.Whose(), f.Source())
		}
		if tried/1000 > (tried-len(batch))/1000 {
			t.Logf("%d tile programs, %d findings, %v", tried, findings, time.Since(start).Round(time.Second))
		}
	}
	reportKilled(t, r, tried)
	t.Logf("%d tile programs from seed %d, %d launches, in %v (%v)", tried, *seed, r.Launched, time.Since(start), r.Stages)
}

// TestGenerate checks that a seed gives the same program each time, and that all
// programs type-check.
func TestGenerate(t *testing.T) {
	for s := range uint64(100) {
		p := Generate(s, AllFeatures, "_1")
		if again := Generate(s, AllFeatures, "_1"); again.Source() != p.Source() || again.Clone().Source() != p.Source() {
			t.Fatalf("seed %d gives two programs", s)
		}
		if err := p.check(); err != nil {
			t.Errorf("seed %d: %v\n%s", s, err, p.Source())
		}
	}
}

// TestJumpsBack expects lists of statements that end by going back without a condition: those of blocks with labels, and
// of ifs and switches in them.
func TestJumpsBack(t *testing.T) {
	ends := regexp.MustCompile(`(?m)^\t+if fuel--; fuel < 0 \{\n\t+goto J\d+\n\t+\}\n\t+goto J\d+\n\t*(\}|case|default|else)`)
	found := map[string]int{}
	for s := range uint64(3000) {
		for _, m := range ends.FindAllStringSubmatch(Generate(s, AllFeatures, "_1").Source(), -1) {
			found[m[1]]++
		}
	}
	if found["}"] < 60 || found["case"]+found["default"] == 0 {
		t.Errorf("what follows the lists that go back is %v", found)
	}
}

// TestFindings plants a wrong answer into the C++ that is compiled, and expects it
// to be found, shrunk and written as a case.
func TestFindings(t *testing.T) {
	r := newRunner(t)
	r.plant = func(side string, text []byte) []byte {
		if side == "cpp" {
			// Of an exclusive or, which no loop counts with: a loop without an end takes until the time is up.
			return bytes.ReplaceAll(text, []byte(" ^ "), []byte(" | "))
		}
		return text
	}
	var batch []*Program
	for s := range uint64(40) {
		batch = append(batch, Generate(s, 0, fmt.Sprint("_", s)))
	}
	found, err := r.Run(batch)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if f.Kind == CPPCrashed {
			t.Errorf("seed %d: %s", f.Program.Seed, f.Detail)
		}
	}
	found = slices.DeleteFunc(found, func(f Finding) bool { return f.Kind != CPPDiffers })
	slices.SortFunc(found, func(a, b Finding) int { return a.Program.size() - b.Program.size() })
	if len(found) == 0 {
		t.Fatal("no program shows that ^ became |")
	}
	small, err := r.Shrink(found[0])
	if err != nil {
		t.Fatal(err)
	}
	if n := small.Program.size(); n > 25 {
		t.Errorf("the smallest program has %d nodes:\n%s", n, small.Program.Source())
	}
	c, err := corpus.Parse("random_1.txtar", small.Case())
	if err != nil {
		t.Fatalf("%v\n%s", err, small.Case())
	}
	if len(c.Kernels) != 1 || len(c.Kernels[0].Launches) != 1 {
		t.Errorf("the case has not one kernel with one launch:\n%s", small.Case())
	}
	if whose := small.Whose(); whose != "the SSA is right after all stages" {
		t.Errorf("the interpreter says that %s", whose)
	}
}
