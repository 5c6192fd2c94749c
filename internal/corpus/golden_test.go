package corpus

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/opt"
)

// TestPasses verifies the SSA of every kernel as it is lowered and after every
// pass, and that a second run of the passes finds nothing left to do.
func TestPasses(t *testing.T) {
	forEachKernel(t, func(t *testing.T, f *File, k *Kernel) {
		m, err := lower(f, k, frontend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		verify := func(after string) {
			if err := ssa.Verify(m); err != nil {
				t.Fatalf("after %s: %v\n%s", after, err, m)
			}
		}
		verify("lowering")
		opt.Optimize(m, func(at opt.Step) { verify(at.String()) })
		once := m.String()
		opt.Optimize(m, nil)
		if twice := m.String(); once != twice {
			t.Errorf("optimized twice it differs:\n%s", diff(once, twice))
		}
	})
}

// TestGolden compares the texts that cases show with what the kernels give.
func TestGolden(t *testing.T) {
	forEachKernel(t, func(t *testing.T, f *File, k *Kernel) {
		for kind, want := range k.Texts {
			got, err := texts[kind](f, k)
			switch {
			case err != nil:
				t.Error(err)
			case *update:
				k.Texts[kind] = got
			case got != want:
				t.Errorf("%s differs (go test -update accepts it):\n%s", kind, diff(want, got))
			}
		}
	})
}

// texts make a kernel's text of each kind that a case can show.
var texts = map[string]func(f *File, k *Kernel) (string, error){
	sectionLowered: func(f *File, k *Kernel) (string, error) {
		return text(f, k, frontend.Options{}, nil, (*ssa.Module).String)
	},
	sectionSSA: func(f *File, k *Kernel) (string, error) {
		return text(f, k, frontend.Options{}, opt.Optimize, (*ssa.Module).String)
	},
	sectionCPP: func(f *File, k *Kernel) (string, error) {
		return text(f, k, frontend.Options{}, opt.Optimize, bodyCPP)
	},
	sectionChecked: func(f *File, k *Kernel) (string, error) {
		return text(f, k, frontend.Options{Checked: true}, opt.Optimize, bodyCPP)
	},
	sectionCUDA: func(f *File, k *Kernel) (string, error) {
		return text(f, k, frontend.Options{}, opt.Optimize, bodyCUDA)
	},
}

// Nobody reads one prelude in each case that shows a text.
func bodyCPP(m *ssa.Module) string  { return compile.CPU.Text(m, emit.Options{}).Body() }
func bodyCUDA(m *ssa.Module) string { return compile.CUDA.Text(m, emit.Options{}).Body() }

func emitCPP(m *ssa.Module) string  { return compile.CPU.Text(m, emit.Options{}).Source }
func emitCUDA(m *ssa.Module) string { return compile.CUDA.Text(m, emit.Options{}).Source }

// text lowers a kernel, optimizes it if it is told how, and prints it.
func text(f *File, k *Kernel, opts frontend.Options, optimize func(*ssa.Module, func(opt.Step)), print func(*ssa.Module) string) (string, error) {
	m, err := lower(f, k, opts)
	if err != nil {
		return "", err
	}
	if optimize != nil {
		optimize(m, nil)
	}
	return print(m), nil
}

// diff shows the lines of two texts from the first that differs to the last.
func diff(want, got string) string {
	w, g := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	for len(w) > 0 && len(g) > 0 && w[0] == g[0] {
		w, g = w[1:], g[1:]
	}
	for len(w) > 0 && len(g) > 0 && w[len(w)-1] == g[len(g)-1] {
		w, g = w[:len(w)-1], g[:len(g)-1]
	}
	var b strings.Builder
	for _, line := range w {
		b.WriteString("- " + strings.TrimSuffix(line, "\n") + "\n")
	}
	for _, line := range g {
		b.WriteString("+ " + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}
