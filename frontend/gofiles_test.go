package frontend

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/bug"
	"github.com/qdgen/qd/internal/gokernels"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/interp"
	"github.com/qdgen/qd/ssa/opt"
)

// maxGoFile is how long a file may be that is compiled: it takes the time of all of its functions.
const maxGoFile = 16 << 10

// sampled is of how many of Go's files a test takes one: all of them take minutes.
const sampled = 8

// goFiles are the texts of the files of the Go compiler's tests: all, or a sample, always the same.
func goFiles(t testing.TB, every int) []string {
	t.Helper()
	files, err := gokernels.Files()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("this Go is installed without the tests of its compiler, GOROOT/test")
	}
	var list []string
	for i := 0; i < len(files); i += every {
		text, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if len(text) <= maxGoFile {
			list = append(list, string(text))
		}
	}
	return list
}

// FuzzGoFiles makes kernels of what the functions of a Go file say, with pieces of its syntax
// exchanged: each has diagnostics, or a module that is valid and that the interpreter runs, before
// and after the passes with the same outcome. The seeds are the tests of the Go compiler.
func FuzzGoFiles(f *testing.F) {
	every := sampled
	if v := flag.Lookup("test.fuzz"); v != nil && v.Value.String() != "" {
		every = 1
	}
	for _, text := range goFiles(f, every) {
		f.Add(text, uint64(0))
	}
	qd := sources(f)[load.QDPath]
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if len(text) <= maxGoFile {
			compileGo(t, qd, mutate(text, seed))
		}
	})
}

// TestGoFiles compiles mutations of a sample of the seeds, the same each time.
func TestGoFiles(t *testing.T) {
	qd := sources(t)[load.QDPath]
	var count outcomes
	for i, text := range goFiles(t, sampled) {
		count.add(compileGo(t, qd, text))
		count.add(compileGo(t, qd, mutate(text, uint64(i+1))))
	}
	t.Log(count)
	if count.compiled < 100 || count.ran < 50 {
		t.Errorf("hardly anything is compiled and run: %v", count)
	}
}

var (
	goFilesFor  = flag.Duration("gofiles", 0, "how long TestGoFilesChanged changes files of Go's compiler tests at random")
	goFilesSeed = flag.Uint64("seed", 1, "what the changes of TestGoFilesChanged begin with")
)

// TestGoFilesChanged compiles mutations of all seeds, one after the other, as long as it is told to.
// Other than fuzzing it takes no byte for a byte: nearly all of what it compiles is still Go.
func TestGoFilesChanged(t *testing.T) {
	if *goFilesFor == 0 {
		t.Skip("no -gofiles duration is given: see make fuzz-frontend")
	}
	qd := sources(t)[load.QDPath]
	var count outcomes
	texts := goFiles(t, 1)
	files := 0
	for start, seed := time.Now(), *goFilesSeed; time.Since(start) < *goFilesFor; seed++ {
		for i, text := range texts {
			if time.Since(start) >= *goFilesFor {
				break
			}
			changed := mutate(text, seed<<16+uint64(i)+1)
			t.Run(fmt.Sprintf("seed %d of file %d", seed, i), func(t *testing.T) { count.add(compileGo(t, qd, changed)) })
			files++
		}
	}
	t.Logf("%d files: %v", files, count)
}

// outcomes count what becomes of kernels.
type outcomes struct{ refused, compiled, ran int }

func (o *outcomes) add(p outcomes) {
	o.refused, o.compiled, o.ran = o.refused+p.refused, o.compiled+p.compiled, o.ran+p.ran
}

func (o outcomes) String() string {
	return fmt.Sprintf("%d refused, %d compiled, of which %d ran to the end", o.refused, o.compiled, o.ran)
}

var (
	genericAsNamed = regexp.MustCompile(`\btype\s+\(?\s*(\w+)\s*\[[^\]]*\]\s*\(*(\w+)\b`)
	aliasOf        = regexp.MustCompile(`\b(\w+)\s*=\s*(\w+)\[`)
)

// endlessForGo reports whether a text declares a generic type as an instance of itself, as type T[P any] T[int], or as an alias
// of one: Go's own type checker, and so its compiler, needs more and more memory for it.
func endlessForGo(text string) bool {
	for _, m := range genericAsNamed.FindAllStringSubmatch(text, -1) {
		if m[1] == m[2] {
			return true
		}
		for _, alias := range aliasOf.FindAllStringSubmatch(text, -1) {
			if alias[1] == m[2] && alias[2] == m[1] {
				return true
			}
		}
	}
	return false
}

// compileGo compiles the kernels of a file, each on its own, so that what is wrong with one hides
// nothing of the others.
func compileGo(t *testing.T, qd *load.Package, text string) (count outcomes) {
	t.Helper()
	text, kernels, ok := gokernels.Make(text)
	if !ok || endlessForGo(text) {
		return count
	}
	src := load.Map{load.QDPath: qd, "k": onePackage("k", "k.go", text)}
	for _, name := range kernels {
		err := bug.Guard(name, func() error { return count.compile(t, src, name) })
		if fault := (*bug.Error)(nil); errors.As(err, &fault) {
			if bytes.Contains(fault.Stack, []byte("go/types.(*Checker).handleBailout(")) {
				continue // Go's own type checker fails, as its compiler does: type Seq[V Seq[int]] = func(V)
			}
			t.Fatalf("%v\n%s\n%s", fault.Panic, fault.Stack, text)
		} else if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
	}
	return count
}

// compile compiles one kernel, checked, as that has more in it, and with the limits on code of a
// small one, so that it does not take long.
func (o *outcomes) compile(t *testing.T, src load.Sources, name string) error {
	made, err := Specialize(Options{Checked: true, Small: true}, src, load.Ref{Pkg: "k", Name: name})
	if ds := (*diag.Diagnostics)(nil); errors.As(err, &ds) {
		o.refused++
		checkPlaces(t, ds)
		return nil
	} else if err != nil {
		return err
	}
	o.compiled++
	m := made.Module
	if err := ssa.Verify(m); err != nil {
		return fmt.Errorf("%w\n%s", err, m)
	}
	text := m.String()
	before, errBefore := interpret(m.Funcs[len(m.Funcs)-1])
	opt.Optimize(m, nil)
	if err := ssa.Verify(m); err != nil {
		return fmt.Errorf("after the passes: %w\n%s", err, m)
	}
	after, errAfter := interpret(m.Funcs[len(m.Funcs)-1])
	switch {
	case errors.Is(errBefore, interp.ErrSteps) || errors.Is(errAfter, interp.ErrSteps):
	case (errBefore == nil) != (errAfter == nil) || errBefore == nil && !bytes.Equal(before, after):
		return fmt.Errorf("before the passes %x %v, after %x %v\n%s\n%s", before, errBefore, after, errAfter, text, m)
	case errBefore == nil:
		o.ran++
	}
	return nil
}

// interpret runs one thread of a kernel, over slices of a few elements, and gives what is in
// them then.
func interpret(k *ssa.Func) ([]byte, error) {
	const elements = 4
	rnd := rand.New(rand.NewPCG(1, 2))
	var memory interp.Buffers
	var args, results [][]byte
	for _, p := range k.Params() {
		if p.Type == ssa.Thread {
			continue
		}
		slice, ok := p.Type.(ssa.Slice)
		if !ok {
			return nil, fmt.Errorf("a parameter of type %v", p.Type)
		}
		data := make([]byte, elements*slice.Elem.Size())
		for i := range elements {
			fill(slice.Elem, data[i*slice.Elem.Size():], rnd)
		}
		results = append(results, data)
		args = append(args, interp.SliceArg(memory.Add(data), elements))
	}
	env := &interp.Env{Memory: &memory, Steps: 1 << 16, Place: interp.Place{Dim: [4]int64{1, 1, 1, 1}}}
	_, err := interp.Compile(k).Run(env, args)
	return bytes.Join(results, nil), err
}

// fill makes a value of small numbers.
func fill(t ssa.Type, p []byte, rnd *rand.Rand) {
	switch t := t.(type) {
	case ssa.Array:
		for i := range t.Len {
			fill(t.Elem, p[i*t.Elem.Size():], rnd)
		}
	case ssa.Basic:
		n := uint64(rnd.IntN(5))
		switch {
		case t == ssa.Bool:
			p[0] = byte(n & 1)
		case ssa.IsInteger(t):
			copy(p, interp.Scalar(t, ssa.IntConst(t, n)))
		case ssa.IsFloat(t):
			copy(p, interp.Scalar(t, ssa.FloatConst(t, float64(n))))
		}
	}
}

// TestGoRuns runs those of Go's compiler tests that can be a kernel as a whole: as programs of Go they
// end well, so that they do not panic here.
func TestGoRuns(t *testing.T) {
	qd := sources(t)[load.QDPath]
	files, err := gokernels.Files()
	if err != nil || len(files) == 0 {
		t.Skip("this Go is installed without the tests of its compiler, GOROOT/test ", err)
	}
	ran := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), "// run\n") || len(text) > maxGoFile {
			continue
		}
		changed, kernels, ok := gokernels.Make(string(text))
		if main := gokernels.Prefix + "main"; ok && slices.Contains(kernels, main) {
			src := load.Map{load.QDPath: qd, "k": onePackage("k", "k.go", changed)}
			if m, err := Specialize(Options{Checked: true, Small: true}, src, load.Ref{Pkg: "k", Name: main}); err == nil {
				opt.Optimize(m.Module, nil)
				if _, err := interpret(m.Module.Funcs[len(m.Module.Funcs)-1]); err == nil {
					ran++
				} else if !errors.Is(err, interp.ErrSteps) {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	if ran < 200 {
		t.Errorf("only %d programs ran to the end", ran)
	}
}
