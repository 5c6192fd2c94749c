package scale

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/cover"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/library"
	"github.com/qdgen/qd/internal/testmodule"
)

// A counter is the compiler built with counters.
type counter struct {
	dir     string         // for what it makes
	meta    string         // the file that says what is counted
	covdata string         // the tool that reads what has been counted
	idle    chan *compiler // that wait for a kernel
}

// A compiler is a process that compiles kernels and counts.
type compiler struct {
	to   io.Writer
	from *bufio.Scanner
	said *strings.Builder // to standard error
}

func newCounter(t *testing.T) *counter {
	t.Helper()
	dir := t.TempDir()
	program, lib := filepath.Join(dir, "steps.exe"), filepath.Join(dir, "qd")
	c := &counter{dir: dir, covdata: filepath.Join(dir, "covdata.exe"), idle: make(chan *compiler, runtime.GOMAXPROCS(0))}
	build := func(program, pkg string, flags ...string) {
		t.Helper()
		args := slices.Concat([]string{"-ldflags=-s -w"}, flags, []string{pkg})
		if err := testmodule.GoBuild("scale-"+pkg, program, "", environment(dir), args...); err != nil {
			t.Fatal(err)
		}
	}
	build(program, "./steps", "-cover", "-covermode=atomic", "-coverpkg=github.com/qdgen/qd/...")
	// To find the tool takes go tool covdata longer than the tool itself takes.
	build(c.covdata, "cmd/covdata")
	sources, err := library.Sources().Package(load.QDPath)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range sources.Files {
		name := filepath.Join(lib, filepath.Base(f.Name))
		if err := errors.Join(os.MkdirAll(lib, 0o777), os.WriteFile(name, f.Src, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range cap(c.idle) {
		meta := filepath.Join(dir, "meta", strconv.Itoa(i))
		if err := os.MkdirAll(meta, 0o777); err != nil {
			t.Fatal(err)
		}
		c.idle <- start(t, dir, program, lib, meta)
	}
	c.meta = filepath.Join(dir, "meta", "0")
	return c
}

// start starts a process that ends with the test.
func start(t *testing.T, dir, program string, args ...string) *compiler {
	t.Helper()
	p := &compiler{said: new(strings.Builder)}
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), "GOCOVERDIR="+dir), p.said
	to, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		to.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", cmd, err, p.said)
		}
	})
	p.to, p.from = to, bufio.NewScanner(from)
	return p
}

// command runs a command, which has the folder for what it writes on its own.
func command(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = environment(dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}

func environment(dir string) []string {
	return append(os.Environ(), "CGO_ENABLED=0", "GOCOVERDIR="+dir)
}

// counted compiles a shape and counts. It gives the folder with the counts.
func (c *counter) counted(t *testing.T, shape, size int) (dir string) {
	t.Helper()
	dir = filepath.Join(c.dir, strconv.Itoa(shape), strconv.Itoa(size))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	p := <-c.idle
	defer func() { c.idle <- p }()
	if _, err := fmt.Fprintf(p.to, "%d %d %q\n", shape, size, dir); err != nil {
		t.Fatalf("%v\n%s", err, p.said)
	}
	if !p.from.Scan() {
		t.Fatalf("the compiler has ended: %v\n%s", p.from.Err(), p.said)
	}
	if answer := p.from.Text(); answer != "counted" {
		t.Fatal(answer)
	}
	return dir
}

// slower names the pieces of the compiler that run more often than the growth from one size to another lets them. The
// counts alone tell mostly that there are none; what they are of is looked up for the others.
func (c *counter) slower(t *testing.T, s Shape, before, after string, from, to int) []string {
	t.Helper()
	old, known := readCounts(t, before)
	now, also := readCounts(t, after)
	if known && also && !old.mayBeSlower(now, from, to) {
		return nil
	}
	found := c.named(t, after)
	if s.Dense {
		// A value needs a set of all that are live with it, with 64 in a word.
		maps.DeleteFunc(found, func(at string, _ int) bool { return strings.HasPrefix(at, "ssa/analysis/live/set.go:") })
	}
	return c.named(t, before).slower(found, from, to)
}

// Steps are how often pieces of the compiler have run, by where they stand.
type steps map[string]int

// named are the counts in a folder.
func (c *counter) named(t *testing.T, dir string) steps {
	t.Helper()
	text := filepath.Join(t.TempDir(), "counts.txt")
	command(t, t.TempDir(), c.covdata, "textfmt", "-i", dir+","+c.meta, "-o", text)
	profiles, err := cover.ParseProfiles(text)
	if err != nil {
		t.Fatal(err)
	}
	counts := steps{}
	for _, p := range profiles {
		name := strings.TrimPrefix(p.FileName, "github.com/qdgen/qd/")
		for _, b := range p.Blocks {
			counts[fmt.Sprintf("%s:%d", name, b.StartLine)] += b.Count
		}
	}
	return counts
}

// counts are those of a file as Go's runtime writes it, by package, function and piece.
type counts map[[3]uint64]int

// mayBeSlower reports whether there may be a piece that [steps.slower] names: some pieces of one line are one there.
func (old counts) mayBeSlower(now counts, from, to int) bool {
	for at, n := range now {
		if n > slack*max(old[at], few/4*from)*to/from {
			return true
		}
	}
	return false
}

// The file begins with a header: four bytes that say what it is, a version, a hash, and how the counts are written. The header of
// its one segment says how many functions and how many bytes in front of them there are. See package internal/coverage
// of the standard library.
const (
	countsMagic   = "\x00cwm"
	countsVersion = 1
	countsULEB128 = 2
	countsHeader  = 32
	segmentHeader = 16
)

// readCounts reads the counts in a folder; it reports false where another release of Go writes them in another way.
func readCounts(t *testing.T, dir string) (counts, bool) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "covcounters.*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%s has %q (%v)", dir, names, err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(data) < countsHeader+segmentHeader || string(data[:4]) != countsMagic || binary.LittleEndian.Uint32(data[4:]) != countsVersion || data[24] != countsULEB128 {
		return nil, false
	}
	segment := data[countsHeader:]
	functions := binary.LittleEndian.Uint64(segment)
	skipped := segmentHeader + int(binary.LittleEndian.Uint32(segment[8:])) + int(binary.LittleEndian.Uint32(segment[12:]))
	if skipped = (skipped + 3) &^ 3; skipped > len(segment) {
		return nil, false
	}
	rest, ok := segment[skipped:], true
	next := func() uint64 {
		x, n := binary.Uvarint(rest)
		if n <= 0 {
			ok = false
			return 0
		}
		rest = rest[n:]
		return x
	}
	found := counts{}
	for range functions {
		pieces, pkg, function := next(), next(), next()
		for i := uint64(0); i < pieces && ok; i++ {
			if n := next(); n != 0 {
				found[[3]uint64{pkg, function, i}] = int(n)
			}
		}
	}
	return found, ok && functions > 0
}

// compareCounts expects that readCounts gives what the tool gives, for the release of Go that runs the tests.
func (c *counter) compareCounts(t *testing.T) {
	dir := c.counted(t, 0, 10)
	found, ok := readCounts(t, dir)
	if !ok {
		t.Fatal("this release of Go writes counts in another way: the tests take longer, and find the same")
	}
	sum := 0
	for _, n := range found {
		sum += n
	}
	for _, n := range c.named(t, dir) {
		sum -= n
	}
	if sum != 0 || len(found) < 1000 {
		t.Errorf("of %d counts the sum is off by %d", len(found), sum)
	}
}
