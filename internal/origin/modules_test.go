package origin

import (
	"runtime/debug"
	"testing"
)

// TestBuiltWith finds the versions of a program's modules.
func TestBuiltWith(t *testing.T) {
	listed := modules{
		info: func() (*debug.BuildInfo, bool) {
			return &debug.BuildInfo{Deps: []*debug.Module{
				{Path: "example.com/a", Version: "v1.2.3"},
				{Path: "example.com/b", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/c", Version: "v2.0.0"}},
				{Path: "example.com/d", Version: "v1.0.0", Replace: &debug.Module{Path: "../d", Version: "(devel)"}},
			}}, true
		},
		files: func() []string { return []string{"/cache/example.com/e@v1.0.0/e.go"} },
	}
	inTest := modules{
		info: func() (*debug.BuildInfo, bool) { return &debug.BuildInfo{Path: "example.com/m.test"}, true },
		files: func() []string {
			return []string{"/cache/example.com/!upper@v1.0.0/a.go", "example.com/trimmed@v0.1.0/b/b.go", "/src/example.com/c/c.go"}
		},
	}
	for _, tt := range []struct {
		program modules
		version string
		want    bool
	}{
		{listed, "example.com/a@v1.2.3", true},
		{listed, "example.com/a@v1.2.4", false},
		{listed, "example.com/a@v1.2", false},
		{listed, "example.com/b@v1.0.0", false},
		{listed, "example.com/c@v2.0.0", true},
		{listed, "example.com/d@v1.0.0", false},
		{listed, "example.com/e@v1.0.0", false},
		{inTest, "example.com/Upper@v1.0.0", true},
		{inTest, "example.com/Upper@v1.0.1", false},
		{inTest, "example.com/trimmed@v0.1.0", true},
		{inTest, "example.com/trimmed@v0.1", false},
		{inTest, "ample.com/trimmed@v0.1.0", false},
		{inTest, "example.com/c@v1.0.0", false},
	} {
		if got := tt.program.has(tt.version); got != tt.want {
			t.Errorf("%s: %v", tt.version, got)
		}
	}
}
