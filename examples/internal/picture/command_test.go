package picture

import (
	"flag"
	"math"
	"strings"
	"testing"
)

func TestNumbers(t *testing.T) {
	n := Int("test-int", 5, 1, 10, "a count")
	x := Float("test-float", 0.5, 0, 1, "a share")
	for _, tt := range []struct{ name, value, err string }{
		{"test-int", "1", ""},
		{"test-int", "10", ""},
		{"test-int", "0", "from 1 to 10"},
		{"test-int", "-3", "from 1 to 10"},
		{"test-int", "11", "from 1 to 10"},
		{"test-int", "2.5", "not a number"},
		{"test-float", "0.25", ""},
		{"test-float", "1e9", "from 0 to 1"},
		{"test-float", "NaN", "from 0 to 1"},
		{"test-float", "", "not a number"},
	} {
		err := flag.Set(tt.name, tt.value)
		if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("-%s %q: %v, want %q", tt.name, tt.value, err, tt.err)
		}
	}
	if *n != 10 || math.Abs(*x-0.25) > 0 {
		t.Errorf("%d and %v: refused values changed them", *n, *x)
	}
}
