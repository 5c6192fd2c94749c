package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/qdgen/qd/nvrtc"
)

// fakeDisassembler is a program that prints what it is told to, for any cubin.
func fakeDisassembler(t *testing.T, printed string, status int) (env []string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there are no shell scripts")
	}
	dir := t.TempDir()
	text := filepath.Join(dir, "printed")
	if err := os.WriteFile(text, []byte(printed), 0o600); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "nvdisasm")
	lines := []string{
		"#!/bin/sh",
		`if [ "$1" = --version ]; then echo "Cuda compilation tools, release 99.1, V99.1.2"; exit; fi`,
		`for file; do :; done`, // the last argument
		`if [ "$(head -c 4 "$file" | tail -c 3)" != ELF ]; then echo "no cubin" >&2; exit 3; fi`,
		`cat "` + text + `"`,
		`echo "nvdisasm warning : nothing of interest" >&2`,
		fmt.Sprint("exit ", status),
	}
	if err := os.WriteFile(script, []byte(strings.Join(lines, "\n")+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return append(nvrtcs(t)["the newest"], "QD_NVDISASM="+script)
}

// Lines of the emitted text become Go's: of an inlined function the first that is Go's.
func TestEmitSASS(t *testing.T) {
	source := strings.Split(qdgen(t, ".", nil, "emit", "../../examples/saxpy").stdout, "\n")
	line := func(text string) int {
		for i, l := range source {
			if strings.Contains(l, text) {
				return i + 1
			}
		}
		t.Fatalf("no line has %q", text)
		return 0
	}
	prelude, id, sum := line("operator[]"), line("= t.ID();"), line("y[i] += a * x[i];")
	at := func(n int) string { return fmt.Sprintf("\t//## File \"/somewhere/saxpy.cu\", line %d", n) }
	env := fakeDisassembler(t, strings.Join([]string{
		"saxpy:",
		at(id),
		"        /*0000*/  S2R R0, SR_TID.X ;",
		at(prelude) + fmt.Sprintf(` inlined at "/somewhere/saxpy.cu", line %d`, sum),
		at(sum),
		"        /*0010*/  FMUL R1, R2, R3 ;",
		at(sum),
		"        /*0020*/  FADD R1, R1, R4 ;",
		at(prelude),
		"        /*0030*/  NOP ;",
		at(99999),
		"        /*0040*/  EXIT ;", "",
	}, "\n"), 0)
	want := strings.Join([]string{
		"saxpy:",
		"\t// main.go:19: i := t.ID()",
		"        /*0000*/  S2R R0, SR_TID.X ;",
		"\t// main.go:20: y[i] += a * x[i]",
		"        /*0010*/  FMUL R1, R2, R3 ;",
		"        /*0020*/  FADD R1, R1, R4 ;",
		"        /*0030*/  NOP ;",
		"        /*0040*/  EXIT ;", "",
	}, "\n")
	if r := qdgen(t, ".", env, "emit", "../../examples/saxpy", "--target", "sass"); r.exit != exitOK || r.stdout != want || r.stderr != "" {
		t.Errorf("exit status %d, %s\n%s\nwant\n%s", r.exit, r.stderr, r.stdout, want)
	}

	var all []emitted
	qdgen(t, ".", env, "emit", "../../examples/saxpy", "--target", "sass", "--json", "--arch", "sm_80,sm_90").parse(t, &all)
	if len(all) != 2 || all[0].Arch != "sm_80" || all[1].Arch != "sm_90" || all[1].Target != "sass" || all[1].Text != want {
		t.Errorf("%+v", all)
	}
	dir := t.TempDir()
	qdgen(t, ".", env, "emit", "../../examples/saxpy", "--target", "sass", "-o", dir, "--arch", "sm_80,sm_90").want(t, exitOK, nil, nil)
	if files, _ := filepath.Glob(filepath.Join(dir, "github.com/qdgen/qd/examples/saxpy/saxpy.sm_?0.sass")); len(files) != 2 {
		t.Errorf("files %v", files)
	}
	qdgen(t, ".", env, "doctor").want(t, exitOK, []string{"ok  nvdisasm        ", "release 99.1, V99.1.2 (QD_NVDISASM)"}, nil)
}

func TestEmitSASSErrors(t *testing.T) {
	env := nvrtcs(t)["the newest"]
	for name, tt := range map[string]struct {
		env    []string
		arch   string
		stderr []string
	}{
		"missing":   {append(env, "QD_NVDISASM=/nowhere/nvdisasm"), "sm_90", []string{"QD_NVDISASM names /nowhere/nvdisasm, which is not a program"}},
		"PTX alone": {env, "compute_90", []string{"for compute_90 there is only PTX: use --target ptx"}},
		"fails":     {fakeDisassembler(t, "half of it", 2), "sm_90", []string{"nvdisasm: exit status 2: nvdisasm warning : nothing of interest; set QD_NVDISASM to an nvdisasm that is as new as NVRTC"}},
		"silent":    {fakeDisassembler(t, "", 0), "sm_90", []string{"it prints nothing"}},
	} {
		t.Run(name, func(t *testing.T) {
			qdgen(t, ".", tt.env, "emit", "../../examples/saxpy", "--target", "sass", "--arch", tt.arch).want(t, exitError, nil, tt.stderr)
		})
	}
}

// The real one, where this machine has it: make setup does not install it.
func TestEmitSASSReal(t *testing.T) {
	if _, err := nvrtc.FindDisassembler(); err != nil {
		t.Skip(err)
	}
	r := qdgen(t, ".", nvrtcs(t)["the newest"], "emit", "./testdata/cost", "--kernel", "summed", "--target", "sass")
	r.want(t, exitOK, []string{"summed:", "\t// kernels.go:44: s += a[j]\n", "LDL", "STL", "EXIT"}, nil)
	if strings.Contains(r.stdout, "//##") {
		t.Errorf("lines of the emitted text are left:\n%s", r.stdout)
	}
}
