package load

import (
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestTagsOf reads flags as the go command reads GOFLAGS.
func TestTagsOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		flags string
		want  []string
	}{
		{"", nil},
		{"-mod=mod -trimpath", nil},
		{"-tags=a", []string{"a"}},
		{" --tags=a,b  -v", []string{"a", "b"}},
		{"-tags=a -tags=b", []string{"b"}},
		{`-v '-tags=a b' "-ldflags=-tags=c"`, []string{"a", "b"}},
		{`"-tags=a`, []string{"a"}},
		{"-race -msan=false -asan=true -tags=a", []string{"a", "race", "asan"}},
	} {
		if got := tagsOf(tt.flags); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.flags, got, tt.want)
		}
	}
}

// TestGoEnv finds what go env -w has written, and what the environment has instead.
func TestGoEnv(t *testing.T) {
	file := filepath.Join(t.TempDir(), "env")
	if err := os.WriteFile(file, []byte("GOFLAGS=-tags=a=b\nCGO_ENABLED=0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOENV", file)
	t.Setenv("GOFLAGS", "")
	t.Setenv("CGO_ENABLED", "1")
	t.Setenv("GOOS", "plan9")
	t.Setenv("GOARCH", "mips")
	if got := goEnv("GOFLAGS"); got != "-tags=a=b" {
		t.Errorf("GOFLAGS is %q", got)
	}
	ctx := commandContext()
	if !slices.Equal(ctx.BuildTags, []string{"a=b"}) || !ctx.CgoEnabled || ctx.GOOS != "plan9" || ctx.GOARCH != "mips" {
		t.Errorf("the build is for %s/%s, with tags %q and cgo %v", ctx.GOOS, ctx.GOARCH, ctx.BuildTags, ctx.CgoEnabled)
	}
	t.Setenv("GOENV", "off")
	if got := goEnv("GOFLAGS"); got != "" {
		t.Errorf("without a file, GOFLAGS is %q", got)
	}

	// Without a C compiler, and for another system, cgo is off.
	for _, name := range []string{"GOOS", "GOARCH", "CGO_ENABLED", "CC"} {
		t.Setenv(name, "")
	}
	t.Setenv("PATH", t.TempDir())
	if commandContext().CgoEnabled {
		t.Error("cgo is on without a C compiler")
	}
	t.Setenv("CC", "own")
	if ctx := commandContext(); ctx.CgoEnabled != build.Default.CgoEnabled {
		t.Errorf("with a C compiler that is named, cgo is %v", ctx.CgoEnabled)
	}
	t.Setenv("GOOS", "plan9")
	if commandContext().CgoEnabled {
		t.Error("cgo is on for another system")
	}
}
