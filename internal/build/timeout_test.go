package build

import (
	"testing"
	"time"
)

// TestStaticTimeout reads the environment variable.
func TestStaticTimeout(t *testing.T) {
	for text, want := range map[string]time.Duration{"": 10 * time.Second, "1.5": 1500 * time.Millisecond, " 2m ": 2 * time.Minute} {
		t.Setenv("QD_STATIC_TIMEOUT", text)
		if got, err := StaticTimeout(); got != want || err != nil {
			t.Errorf("%q: %v, want %v; error %v", text, got, want, err)
		}
	}
	for _, text := range []string{"soon", "-1", "0", "-3s", "NaN"} {
		t.Setenv("QD_STATIC_TIMEOUT", text)
		if got, err := StaticTimeout(); err == nil || err.Error() != "QD_STATIC_TIMEOUT="+text+": use a duration such as 30s or 2m, or a number of seconds" {
			t.Errorf("%q: %v, error %v", text, got, err)
		}
	}
}
