package build

import (
	"testing"
	"time"
)

// TestStaticTimeout reads the environment variable.
func TestStaticTimeout(t *testing.T) {
	for text, want := range map[string]time.Duration{"": 10 * time.Second, "1.5": 1500 * time.Millisecond, "2m": 2 * time.Minute, "soon": 10 * time.Second, "-1": 10 * time.Second} {
		t.Setenv("QD_STATIC_TIMEOUT", text)
		if got := StaticTimeout(); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
