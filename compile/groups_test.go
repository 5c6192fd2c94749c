package compile_test

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/qdgen/qd/compile"
)

// Lanes that read several slices far apart do so in groups. They do not where one group would wait for another, or where
// there is nothing to alternate with.
func TestGroups(t *testing.T) {
	if compile.Lanes != 0 {
		t.Skip("QD_LANES is set")
	}
	const text = `package k

import "github.com/qdgen/qd"

//qd:kernel
func k(b qd.Block, n int, c int, x, y []float32, z []float64, out []float32, sums []int32) {
	part := qd.Shared[float32](b, 256)
	b.For(256, func(lane int) {
		s := float32(0)
		for i := lane; i < n; i += 256 {
			%s
		}
		part[lane] = s
	})
	out[0] = part[3]
}
`
	loads := regexp.MustCompile(`load<(float\d+x\d+)>\(&([xyz])`)
	for name, c := range map[string]struct {
		body, arch string
		want       []string // loads in the copy of the loop that all lanes are in
	}{
		"two slices": {"s += x[i] * y[i]", "x86-64-v4", []string{"float32x64 x", "float32x64 y", "float32x64 x", "float32x64 y",
			"float32x64 x", "float32x64 y", "float32x64 x", "float32x64 y"}},
		"small vectors": {"s += x[i] * y[i]", "x86-64-v2", []string{"float32x32 x", "float32x32 y", "float32x32 x", "float32x32 y",
			"float32x32 x", "float32x32 y", "float32x32 x", "float32x32 y"}},
		"large numbers": {"s += x[i] * float32(z[i])", "x86-64-v4", []string{"float32x32 x", "float64x32 z", "float32x32 x", "float64x32 z",
			"float32x32 x", "float64x32 z", "float32x32 x", "float64x32 z", "float32x32 x", "float64x32 z", "float32x32 x", "float64x32 z",
			"float32x32 x", "float64x32 z", "float32x32 x", "float64x32 z"}},
		"one slice":      {"s += x[i] * x[i]", "x86-64-v4", []string{"float32x256 x", "float32x256 x"}},
		"a uniform load": {"s += x[i] * y[c]", "x86-64-v4", []string{"float32x256 x"}},
		"an atomic":      {"s += x[i] * y[i]; qd.AtomicAdd(&sums[0], int32(i))", "x86-64-v4", []string{"float32x256 x", "float32x256 y"}},
		"a branch":       {"if x[i] > y[i] { s += y[i+1] }", "x86-64-v4", []string{"float32x256 x", "float32x256 y", "float32x256 y"}},
		"one for all":    {"s += x[i] * y[i]; out[1] = x[c]", "x86-64-v4", []string{"float32x256 x", "float32x256 y"}},
	} {
		code := printedFor(t, c.arch, fmt.Sprintf(text, c.body), "k").Text.Code()
		wide := regexp.MustCompile(`(?s)static inline void k_wide\(.*?for \(;; .*?\n    }`).FindString(code)
		var have []string
		for _, m := range loads.FindAllStringSubmatch(wide, -1) {
			have = append(have, m[1]+" "+m[2])
		}
		if !slices.Equal(have, c.want) {
			t.Errorf("%s: loads %q, want %q\n%s", name, have, c.want, code)
		}
	}
}
