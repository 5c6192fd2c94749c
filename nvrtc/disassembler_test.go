package nvrtc

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// program writes a shell script named nvdisasm into a directory.
func program(t *testing.T, dir, text string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there are no shell scripts")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, disassembler)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// nowhere empties all places where a disassembler is looked for.
func nowhere(t *testing.T) {
	t.Helper()
	for _, name := range []string{"QD_NVDISASM", "QD_TOOLS", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CONDA_PREFIX", "VIRTUAL_ENV", "PYENV_ROOT"} {
		t.Setenv(name, "")
	}
	t.Setenv("PATH", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	dirs, prefixes := systemDirs, systemPrefixes
	systemDirs, systemPrefixes = []string{t.TempDir()}, nil
	t.Cleanup(func() { systemDirs, systemPrefixes = dirs, prefixes })
}

func TestFindDisassembler(t *testing.T) {
	nowhere(t)
	var missing *MissingDisassemblerError
	if _, err := FindDisassembler(); !errors.As(err, &missing) || missing.Named != "" || len(missing.Tried) == 0 || !strings.Contains(err.Error(), "QD_NVDISASM") || !strings.Contains(err.Error(), "install") {
		t.Errorf("none: %v", err)
	}
	// From the last place to the first.
	root := t.TempDir()
	for _, tt := range []struct{ name, value, dir, place string }{
		{"CONDA_PREFIX", root + "/conda", root + "/conda/bin", "CONDA_PREFIX"},
		{"VIRTUAL_ENV", root + "/venv", root + "/venv/lib/python3.12/site-packages/triton/backends/nvidia/bin", "Python packages"},
		{"CUDA_PATH", root + "/cuda", root + "/cuda/bin", "CUDA_PATH"},
		{"CUDA_HOME", root + "/cuda-home", root + "/cuda-home/bin", "CUDA_HOME"},
		{"QD_TOOLS", root + "/tools", root + "/tools/nvdisasm/nvidia/cu13/bin", "QD_TOOLS"},
		{"PATH", root + "/path", root + "/path", "PATH"},
		{"QD_NVDISASM", root + "/named/nvdisasm", root + "/named", "QD_NVDISASM"},
	} {
		path := program(t, tt.dir, "")
		t.Setenv(tt.name, tt.value)
		d, err := FindDisassembler()
		if err != nil || d.Path != path || d.Place != tt.place {
			t.Errorf("with %s: %+v, %v, want %s", tt.name, d, err, path)
		}
	}
	t.Setenv("QD_NVDISASM", root+"/no/such")
	if _, err := FindDisassembler(); !errors.As(err, &missing) || missing.Named != root+"/no/such" || !strings.Contains(err.Error(), "which is not a program") {
		t.Errorf("a name that is no program: %v", err)
	}
}

func TestDisassemble(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	good := &Disassembler{Path: program(t, dir+"/good", `if [ "$1" = --version ]; then echo 'nvdisasm: NVIDIA (R) CUDA disassembler'; echo 'Cuda compilation tools, release 12.8, V12.8.55'; exit; fi
for file; do :; done
echo "$1 $2"; cat "$file"`)}
	if got, err := good.Disassemble(ctx, []byte("the cubin")); err != nil || got != "--print-code --print-line-info-inline\nthe cubin" {
		t.Errorf("%q, %v", got, err)
	}
	if left, _ := os.ReadDir(tmp); len(left) != 0 {
		t.Errorf("files are left: %v", left)
	}
	if v, err := good.Version(ctx); err != nil || v != "release 12.8, V12.8.55" {
		t.Errorf("version %q, %v", v, err)
	}
	for name, tt := range map[string]struct{ script, want string }{
		"fails":  {"echo 'nvdisasm fatal   : Unsupported cubin version' >&2; exit 255", "exit status 255: nvdisasm fatal : Unsupported cubin version; set QD_NVDISASM to an nvdisasm that is as new as NVRTC"},
		"silent": {"exit 0", "it prints nothing"},
	} {
		bad := &Disassembler{Path: program(t, filepath.Join(dir, name), tt.script)}
		if got, err := bad.Disassemble(ctx, nil); got != "" || err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if v, err := bad.Version(ctx); err == nil {
			t.Errorf("%s: version %s", name, v)
		}
	}
	slow := &Disassembler{Path: program(t, dir+"/slow", "exec sleep 60")}
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if _, err := slow.Disassemble(short, nil); err == nil {
		t.Error("it is not interrupted")
	}
}
