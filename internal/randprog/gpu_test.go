package randprog

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd/internal/fakenvrtc"
	"github.com/qdgen/qd/internal/randprog/harness"
)

var (
	exportTo   = flag.String("export", "", "file for the batches of TestExport, for -import on a machine with a GPU")
	importFrom = flag.String("import", "", "file with the batches of TestOnGPU")
	workers    = flag.Int("workers", runtime.NumCPU(), "processes of TestOnGPU, each of which compiles and launches")
	limit      = flag.Duration("limit", 20*time.Second, "how long a launch of TestOnGPU may take")
)

// batchOf are the programs of one batch: each third one may panic.
func batchOf(number int, first uint64, count int) (batch []*Program) {
	wanted := Features(*only)
	if number%3 != 0 {
		wanted &^= Faults
	} else {
		wanted &^= Order // which of two panics comes first is nobody's promise
	}
	for s := range uint64(count) {
		batch = append(batch, Generate(first+s, wanted, fmt.Sprint("_", first+s)))
	}
	return batch
}

// TestExport runs random programs as Go, as C++ and as CUDA text behind the shim, and writes them to a file with what they
// should leave behind, so that TestOnGPU of the same test binary runs them on a GPU, on a machine without Go.
func TestExport(t *testing.T) {
	if *exportTo == "" {
		t.Skip("without -export FILE")
	}
	r := newRunner(t)
	r.Slowest = 10 * time.Millisecond // a thread of a GPU is a hundred times slower than a core
	start := time.Now()
	var batches []*Portable
	r.Export = func(b *Portable) { batches = append(batches, b) }
	number := 0
	for first := 0; first < *programs+*tiles && (*duration == 0 || time.Since(start) < *duration); number++ {
		var batch []*Program
		if first < *programs {
			batch = batchOf(number, *seed+uint64(first), min(*perBatch, *programs-first))
		} else {
			for s := range uint64(min(*perBatch, *programs+*tiles-first)) {
				batch = append(batch, GenerateTiles(*seed+uint64(first)+s, fmt.Sprint("_", *seed+uint64(first)+s)))
			}
		}
		first += len(batch)
		for _, p := range batch {
			p.Many = true
		}
		found, err := r.Run(batch)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			t.Errorf("seed %d: %s: %s\n%s", f.Program.Seed, f.Kind, f.Detail, f.Source())
		}
		if number%10 == 9 {
			t.Logf("%d programs in %v", first, time.Since(start).Round(time.Second))
		}
	}
	if err := writePortable(*exportTo, batches); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(*exportTo)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d programs in %d batches, %d bytes, in %v; left out: %v", countOf(batches), len(batches), info.Size(), time.Since(start).Round(time.Second), leftOut(batches))
}

// countOf is how many programs batches have.
func countOf(batches []*Portable) (n int) {
	for _, b := range batches {
		n += len(b.Programs)
	}
	return n
}

// leftOut says how many programs were left out, and why.
func leftOut(batches []*Portable) string {
	sum := map[string]int{}
	for _, b := range batches {
		for why, n := range b.LeftOut {
			sum[why] += n
		}
	}
	var list []string
	for _, why := range slices.Sorted(maps.Keys(sum)) {
		list = append(list, fmt.Sprintf("%d %s", sum[why], why))
	}
	return strings.Join(append(list, "0 others"), ", ")
}

// mostSaved is of how many findings the programs are written to a file: each is compiled once more for that.
const mostSaved = 100

// TestOnGPU runs the programs of a file, which TestExport has written, on the first GPU of the machine.
func TestOnGPU(t *testing.T) {
	if *importFrom == "" {
		t.Skip("without -import FILE")
	}
	batches, err := readPortable(*importFrom)
	if err != nil {
		t.Fatal(err)
	}
	g := &GPURun{Workers: *workers, Dir: t.TempDir(), For: *duration, Limit: *limit, Compile: 3 * time.Minute}
	err = g.Run(batches)
	var saved strings.Builder
	for i, f := range g.Findings {
		source := ""
		if p, err := f.Program.program(); err == nil {
			source = p.Source()
		}
		head := fmt.Sprintf("seed %d, features %#x, tiles %t, launch %d over %v: %s", f.Program.Seed, uint32(f.Program.Features), f.Program.Tiles, f.Launch, f.Program.Job.Launches[max(f.Launch, 0)].Dims, f.Detail)
		switch {
		case *save != "" && i < mostSaved:
			fmt.Fprintf(&saved, "// %s\n%s\n", head, source)
			if one, err := f.Batch.alone(*f.Program); err == nil {
				fmt.Fprintf(&saved, "// As CUDA, alone:\n%s\n", one.Text)
			}
			t.Error(head)
		case *save == "" && i < *findingsMax:
			t.Errorf("%s\n%s", head, source)
		default:
			t.Error(head)
		}
	}
	if err != nil {
		t.Error(err)
	}
	if saved.Len() > 0 {
		if err := os.MkdirAll(*save, 0o777); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(filepath.Join(*save, "gpu.txt"), []byte(saved.String()), 0o666); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%s; left out of the file: %s", g.Summary(), leftOut(batches))
}

// A file with random programs, written by one process, runs in another whose CUDA driver and NVRTC are fakes: programs that
// give what they should, one with another result, one that breaks its process, one that does not end, and one that NVRTC refuses.
func TestExported(t *testing.T) {
	r := newRunner(t)
	var batches []*Portable
	r.Export = func(b *Portable) { batches = append(batches, b) }
	tileBatch := []*Program{GenerateTiles(1, "_1"), GenerateTiles(2, "_2"), GenerateTiles(3, "_3")}
	for _, batch := range [][]*Program{batchOf(1, 100, 8), batchOf(3, 100, 8), tileBatch} {
		batch[1].Many = true
		found, err := r.Run(batch)
		if err != nil || len(found) > 0 {
			t.Fatal(found, err)
		}
	}
	if len(batches) != 3 || !batches[1].isDeep() {
		t.Fatalf("%d batches are exported, or none recurses", len(batches))
	}
	n := countOf(batches)
	text, ok := onFakeGPU(t, batches)
	if !ok || !strings.Contains(text, fmt.Sprintf("%d programs, ", n)) || !strings.Contains(text, " 0 programs differ, 0 refused by NVRTC, 0 crashed or without an end, 0 not run, 0 launches too large") {
		t.Errorf("%d programs run otherwise:\n%s", n, text)
	}

	// The same with mistakes in three programs of the first batch, and in all of the second.
	batches[0].Programs[0].Right[1] = []string{"another"}
	for i, mistake := range map[int]string{2: "*(volatile int*)8 = 1;", 4: "for (volatile int forever = 1; forever;) {}"} {
		begins := regexp.MustCompile(`void (?:__launch_bounds__\(\d+\) )?` + batches[0].Programs[i].Job.Symbol + `\([^)]*\) \{`)
		if !begins.MatchString(batches[0].Text) {
			t.Fatalf("%v is not in\n%s", begins, batches[0].Text)
		}
		batches[0].Text = begins.ReplaceAllString(batches[0].Text, "$0\n"+mistake)
	}
	batches[1].Text += "\n#error all together\n"
	dir := t.TempDir()
	text, ok = onFakeGPU(t, batches, "-for", "5m", "-save", dir)
	if ok || !strings.Contains(text, fmt.Sprintf("%d programs, ", n)) || !strings.Contains(text, " 1 programs differ, 0 refused by NVRTC, 2 crashed or without an end, 0 not run") {
		t.Errorf("%d programs with mistakes run otherwise:\n%s", n, text)
	}
	if strings.Count(text, "\n    gpu_test.go:") != 5 { // four findings and the summary
		t.Errorf("there is more than the mistakes in\n%s", text)
	}
	saved, err := os.ReadFile(filepath.Join(dir, "gpu.txt"))
	if err != nil || !strings.Contains(string(saved), "\nfunc k_102(") || !regexp.MustCompile(`__global__ void (given)?k_102\(`).Match(saved) {
		t.Errorf("the program of seed 102 is not in %s, %v", saved, err)
	}
	for _, want := range []string{`seed 100, .* launch 1 .*: want .*another.*, got \w+, once more \w+`, `seed 102, .*: the process ended: `, `seed 104, .*: no end after 2s`, `8 programs fail together, and none of them alone: .*all together`} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
}

// A run whose time is up at once runs nothing and says so. A file of another generator is an error.
func TestExportedAnew(t *testing.T) {
	p := Generate(1, 0, "_1")
	exported := PortableProgram{Seed: 1, Hash: hashOf(p.Source()), Job: harness.Program{Name: p.Name}}
	batches := []*Portable{{Programs: []PortableProgram{exported}}}
	g := &GPURun{Workers: 1, For: 1}
	if err := g.Run(batches); err != nil || g.Unfinished != 1 || g.Programs != 0 {
		t.Error(g.Summary(), err)
	}
	if _, err := exported.program(); err != nil {
		t.Error(err)
	}
	exported.Hash++
	if err := g.Run([]*Portable{{Programs: []PortableProgram{exported}}}); err == nil || !strings.Contains(err.Error(), "another program of seed 1") {
		t.Error(err)
	}
}

// onFakeGPU is what TestOnGPU says of batches in a process with a fake driver.
func onFakeGPU(t *testing.T, batches []*Portable, args ...string) (text string, ok bool) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "batches")
	if err := writePortable(file, batches); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], append([]string{"-test.v", "-test.run=^TestOnGPU$", "-import", file, "-workers", "2", "-limit", "2s"}, args...)...)
	cmd.Env, cmd.Dir = fakenvrtc.Env(t), filepath.Dir(file) // outside of the checkout
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}
