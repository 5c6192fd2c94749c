package clang

import (
	"slices"
	"testing"
)

// Vectors of 512 bits are for processors that do not slow down for them.
func TestX86Flags(t *testing.T) {
	const wide = "-mprefer-vector-width=512"
	for _, c := range []struct {
		level string
		vbmi2 bool
		want  []string
	}{
		{"x86-64-v2", false, []string{"-march=x86-64-v2"}},
		{"x86-64-v3", true, []string{"-march=x86-64-v3"}}, // a system without support for them
		{"x86-64-v4", false, []string{"-march=x86-64-v4"}},
		{"x86-64-v4", true, []string{"-march=x86-64-v4", wide}},
	} {
		if got := x86Flags(c.level, c.vbmi2); !slices.Equal(got, c.want) {
			t.Errorf("%s, VBMI2 %v: %v, want %v", c.level, c.vbmi2, got, c.want)
		}
	}
}
