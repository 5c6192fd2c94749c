package emit_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
)

// A golden is a kernel and the text that it prints.
type golden struct {
	name, doc string
	src       string
	cpp, cuda string
}

// goldens are kernels and what they print, from the kernel's declaration on, in
// C++, and in CUDA C++ where that differs in an interesting way.
var goldens = slices.Concat(controlGoldens, valueGoldens)

// ofOneThread is the pipeline of the CPU without functions for vectors.
var ofOneThread = compile.Pipeline{Stages: slices.DeleteFunc(slices.Clone(compile.CPU.Stages), func(s *compile.Stage) bool { return s == compile.Widen })}

// frameLines are those that come from no Go statement.
var frameLines = regexp.MustCompile(`(?m)^(struct k_args \{\n(    .*\n)*\};\n|static_assert.*\n\n)|^(\[\[gnu::always_inline\]\] )?static .*inline .*\{\n|^extern "C" __global__ .*\{\n|^    const int64 flat = .*\n|^    if \(flat >= .*\n|^    const Thread t\{.*\n|^    (const )?\S+ \S+ = args\.\S+;\n`)

// body is the part of a text that comes from Go: the functions' statements.
func body(text string) string {
	_, text, _ = strings.Cut(text, "// k.go:")
	text = "// k.go:" + text
	if i := strings.Index(text, "\nextern \"C\" void "); i >= 0 {
		text = text[:i]
	}
	return frameLines.ReplaceAllString(text, "")
}

func TestGolden(t *testing.T) {
	for _, g := range goldens {
		t.Run(g.name, func(t *testing.T) {
			m := lower(t, g.src)
			got := map[string]string{}
			for _, to := range targets {
				got[to.name] = "\n" + body(to.emit(m, emit.Options{}).Source)
			}
			got["cpp"] = "\n" + body(ofOneThread.Text(m, emit.Options{}).Source)
			if got["cpp"] != g.cpp {
				t.Errorf("cpp:%s\nwant%s", got["cpp"], g.cpp)
			}
			if g.cuda != "" && got["cuda"] != g.cuda {
				t.Errorf("cuda:%s\nwant%s", got["cuda"], g.cuda)
			}
		})
	}
}
