package launch

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/runtime/device"
)

// TestManyPrograms is about what the log says of a kernel that is compiled for ever more values of a package variable.
func TestManyPrograms(t *testing.T) {
	var log bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(old)

	number := func(n int) comptime.Value { return comptime.Value{Kind: comptime.Int, Type: "int", Bits: uint64(n)} }
	site := &frontend.StaticSite{Pkg: "a", Func: "k", Expr: "scale * n.V"}
	var programs []*variant
	for i := range 3 * manyPrograms {
		programs = append(programs, &variant{Loaded: &device.Loaded{Asked: []frontend.Asked{
			{Var: load.Global{Pkg: "a", Name: "size"}, Value: number(64)},
			{Var: load.Global{Pkg: "a", Name: "frame"}, Value: number(i)},
			{Site: site, Args: []comptime.Value{number(1)}, Value: number(5)},
			{Site: site, Args: []comptime.Value{number(2)}, Value: number(10)},
		}}})
		warnOfMany("step", programs)
	}
	text := log.String()
	if n := strings.Count(text, "\n"); n != 1 {
		t.Errorf("%d lines, want 1:\n%s", n, text)
	}
	if want := "kernel step has been compiled for 16 values of package variable a.frame, which it has"; !strings.Contains(text, want) {
		t.Errorf("no %q in %s", want, text)
	}

	log.Reset()
	for i := range programs {
		programs[i].Asked[1].Value = number(0)
		programs[i].Asked[3].Value = number(i)
	}
	warnOfMany("step", programs[:manyPrograms])
	if want := "16 values of qd.Static(scale * n.V), which"; !strings.Contains(log.String(), want) {
		t.Errorf("no %q in %s", want, log.String())
	}
}
