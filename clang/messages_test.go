package clang

import (
	"reflect"
	"testing"
)

func TestParseMessages(t *testing.T) {
	const log = `kernel.cpp:3:14: error: use of undeclared identifier 'q'
	x[i] = q; // kernel.cpp:9:9: error: quoted
	       ^
kernel.cpp: In function 'void f()':
/home/me/a:b/saxpy.go:12:3: warning: unused: note: odd text
    5 | int error: 3;
kernel.cpp:7: fatal error: no column
clang: error: unknown argument: '-fno-such-flag'
fatal error: too many errors emitted, stopping now
/usr/bin/ld: kernel.o: in function ` + "`f'" + `:
kernel.cpp:(.text+0x1): undefined reference to ` + "`nowhere'" + `
ld.lld: error: undefined symbol: nowhere
2 errors generated.
`
	want := []Message{
		{"kernel.cpp", 3, 14, "error", "use of undeclared identifier 'q'"},
		{"/home/me/a:b/saxpy.go", 12, 3, "warning", "unused: note: odd text"},
		{"kernel.cpp", 7, 0, "fatal error", "no column"},
		{"", 0, 0, "error", "unknown argument: '-fno-such-flag'"},
		{"", 0, 0, "fatal error", "too many errors emitted, stopping now"},
		{"", 0, 0, "error", "undefined reference to `nowhere'"},
		{"", 0, 0, "error", "undefined symbol: nowhere"},
	}
	got := parseMessages(log)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got:")
		for _, m := range got {
			t.Errorf("\t%+v", m)
		}
	}
}

func TestMessageString(t *testing.T) {
	for want, m := range map[string]Message{
		"f.go:3:4: error: no": {"f.go", 3, 4, "error", "no"},
		"f.go:3: error: no":   {"f.go", 3, 0, "error", "no"},
		"warning: hm":         {"", 0, 0, "warning", "hm"},
	} {
		if got := m.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestCompareVersions(t *testing.T) {
	ordered := []string{"/usr/lib/llvm-9", "/usr/lib/llvm-14", "/usr/lib/llvm-014.1", "/usr/lib/llvm-100"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := compareVersions(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("compare %s with %s: %d", a, b, got)
			}
		}
	}
}

func TestQuote(t *testing.T) {
	got := quote([]string{"/usr/bin/clang++", "-DX=a b", "it's", "", "-o", "k.so"})
	if want := `/usr/bin/clang++ '-DX=a b' 'it'\''s' '' -o k.so`; got != want {
		t.Errorf("got %s", got)
	}
}
