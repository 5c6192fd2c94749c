package gen

import "testing"

func TestConstraintOf(t *testing.T) {
	const tagged = "// Copyright.\n\n//go:build cuda && !race\n\npackage p\n\n//go:build late\n"
	texts := map[string][]byte{
		"a.go": []byte("package p\n"), "b_linux.go": []byte("package p\n"), "c_windows_arm64.go": []byte("package p\n"),
		"d.go": []byte(tagged), "e_linux.go": []byte(tagged), "f_amd64.go": []byte("package p\n"),
		"linux.go": []byte("package p\n"), "g_kernel.go": []byte("package p\n"), "h.go": []byte(tagged),
	}
	for _, tt := range []struct {
		files []string
		want  string
	}{
		{nil, ""},
		{[]string{"a.go", "linux.go", "g_kernel.go"}, ""},
		{[]string{"a.go", "b_linux.go", "b_linux.go"}, "linux"},
		{[]string{"c_windows_arm64.go"}, "windows && arm64"},
		{[]string{"d.go", "h.go"}, "cuda && !race"},
		{[]string{"e_linux.go"}, "linux && cuda && !race"},
		{[]string{"f_amd64.go", "b_linux.go", "a.go"}, "amd64 && linux"},
	} {
		if got := constraintOf(tt.files, texts); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.files, got, tt.want)
		}
	}
}

func TestImportable(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		want     bool
	}{
		{"m/a", "m/b", true}, {"m/a", "m/internal/b", true}, {"m", "m/internal/b", true}, {"n", "m/internal/b", false},
		{"m/a/internal/x/c", "m/a/internal/x/internal", true}, {"m/a/c", "m/a/internal/x/internal", false}, {"m/b", "m/a/internal/x", false}, {"mm/b", "m/internal/x", false},
	} {
		if got := importable(tt.from, tt.to); got != tt.want {
			t.Errorf("importable(%q, %q) = %v", tt.from, tt.to, got)
		}
	}
}
