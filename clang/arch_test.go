package clang

import (
	"slices"
	"testing"
)

// A processor runs the modules of what its instruction set contains.
func TestPartsOf(t *testing.T) {
	for name, want := range map[string][]string{
		"x86-64-v3":        {"x86-64-v3", "x86-64-v2", "x86-64"},
		"x86-64":           {"x86-64"},
		"armv8-a+lse+fp16": {"armv8-a+lse+fp16", "armv8-a+lse", "armv8-a"},
		"apple-m1":         {"apple-m1"},
	} {
		if got := partsOf(name); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

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
