//go:build unix

package randprog

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/qdgen/qd/clang"
)

// A compiler that is killed is no finding. Where it takes fewer programs, those are compared, and the others are named.
func TestKilledCompiler(t *testing.T) {
	real := newRunner(t).Compiler.Path
	for _, tt := range []struct {
		name, when string
		killed     int
	}{
		{"of many", `grep -q "void k_1(" $src && grep -q "void k_3("`, 2}, // the half that has it
		{"of one", `grep -q "void k_2("`, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			named := filepath.Join(t.TempDir(), "clang++")
			script := fmt.Sprintf("#!/bin/sh\nfor a; do case $a in *.cpp) src=$a;; esac; done\nif [ -n \"$src\" ] && %s $src; then kill -KILL $$; fi\nexec %s \"$@\"\n", tt.when, real)
			if err := os.WriteFile(named, []byte(script), 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv("QD_CXX", named)
			r := newRunner(t)
			var err error
			if r.Compiler, err = clang.Find(); err != nil {
				t.Fatal(err)
			}
			r.Keep = nil
			var batch []*Program
			launches := 0
			for s := range uint64(4) {
				batch = append(batch, Generate(s, 0, fmt.Sprint("_", s)))
				launches += len(batch[s].Launches())
			}
			found, err := r.Run(batch)
			if err != nil || len(found) > 0 {
				t.Fatalf("found %+v, %v", found, err)
			}
			if len(r.Killed) != tt.killed || !strings.Contains(r.Killed[0], "the compiler was killed: signal: killed") {
				t.Errorf("killed: %q", r.Killed)
			}
			if r.Launched == 0 || r.Launched >= launches {
				t.Errorf("%d launches of %d were compared", r.Launched, launches)
			}
		})
	}
}

// A compiler that does not end for one program is a finding, with the processes that it has started: they hold its
// output open, and would otherwise be waited for.
func TestCompilerWithoutEnd(t *testing.T) {
	r := newRunner(t)
	named := filepath.Join(t.TempDir(), "clang++")
	if err := os.WriteFile(named, []byte("#!/bin/sh\nif [ \"$1\" = --version ]; then exec "+r.Compiler.Path+" \"$@\"; fi\nsleep 10000 &\nwait\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QD_CXX", named)
	var err error
	if r.Compiler, err = clang.Find(); err != nil {
		t.Fatal(err)
	}
	r.Keep, r.Patience = nil, 500*time.Millisecond
	var batch []*Program
	for s := range uint64(2) {
		batch = append(batch, Generate(s, 0, fmt.Sprint("_", s)))
	}
	found, err := r.Run(batch)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 2 || len(r.Killed) > 0 {
		t.Fatalf("found %+v, killed %q", found, r.Killed)
	}
	for _, f := range found {
		if f.Kind != NoCPP || !strings.Contains(f.Detail, "did not end in time") {
			t.Errorf("%s: %s", f.Kind, f.Detail)
		}
	}
}
