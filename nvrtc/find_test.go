package nvrtc

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// elfHead is what tells a library for this processor.
func elfHead() []byte {
	b := make([]byte, 64)
	copy(b, "\x7fELF\x02")
	b[18] = map[string]byte{"amd64": 62, "arm64": 183}[runtime.GOARCH]
	return b
}

// put writes a file that looks like a library.
func put(t *testing.T, path ...string) string {
	t.Helper()
	name := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, elfHead(), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// emptyMachine hides every NVRTC of the machine that does not come from the
// dynamic linker's cache, and returns a directory for others.
func emptyMachine(t *testing.T) string {
	t.Helper()
	if b, _ := os.ReadFile(ldCachePath); len(ldCacheLookup(b, "libnvrtc.so")) > 0 {
		t.Skip("this machine has NVRTC among the system's libraries")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"QD_NVRTC", "QD_TOOLS", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("PATH", filepath.Join(dir, "bin"))
	oldDirs, oldPrefixes := systemDirs, systemPrefixes
	t.Cleanup(func() { systemDirs, systemPrefixes = oldDirs, oldPrefixes })
	systemDirs = []string{filepath.Join(dir, "cuda"), filepath.Join(dir, "cuda-*")}
	systemPrefixes = []string{filepath.Join(dir, "usr")}
	return dir
}

func TestFindPlaces(t *testing.T) {
	for _, tt := range []struct {
		name, file, env, value, place string
	}{
		{"library path", "lp/libnvrtc.so.12", "LD_LIBRARY_PATH", "nowhere:DIR/lp", "LD_LIBRARY_PATH"},
		{"CUDA_HOME", "my cuda/lib64/libnvrtc.so.12.4.127", "CUDA_HOME", "DIR/my cuda", "CUDA_HOME"},
		{"CUDA_PATH", "c/targets/x86_64-linux/lib/libnvrtc.so.12", "CUDA_PATH", "DIR/c", "CUDA_PATH"},
		{"toolkit", "cuda-12.4/lib64/libnvrtc.so.12", "", "", "CUDA toolkits"},
		{"virtual environment", "venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "VIRTUAL_ENV", "DIR/venv", "Python packages"},
		{"pyenv", "home/.pyenv/versions/3.11.7/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13", "", "", "Python packages"},
		{"user site", "home/.local/lib/python3.9/site-packages/nvidia/cu13/lib/libnvrtc.so.13", "", "", "Python packages"},
		{"distribution's Python", "usr/lib/python3/dist-packages/nvidia/cu13/lib/libnvrtc.so.13", "", "", "Python packages"},
		{"conda", "env/lib/libnvrtc.so.12", "CONDA_PREFIX", "DIR/env", "CONDA_PREFIX"},
		{"tools", "tools/nvrtc/nvidia/cu13/lib/libnvrtc.so.13", "QD_TOOLS", "DIR/tools", "QD_TOOLS"},
		{"named file", "x/libnvrtc.so.12", "QD_NVRTC", "DIR/x/libnvrtc.so.12", "QD_NVRTC"},
		{"named directory", "x/libnvrtc.so.12", "QD_NVRTC", "DIR/x", "QD_NVRTC"},
		{"named package", "x/nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "QD_NVRTC", "DIR/x", "QD_NVRTC"},
		{"named toolkit", "x/lib64/libnvrtc.so.12", "QD_NVRTC", "DIR/x", "QD_NVRTC"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := emptyMachine(t)
			want := put(t, dir, tt.file)
			if tt.env != "" {
				t.Setenv(tt.env, strings.ReplaceAll(tt.value, "DIR", dir))
			}
			l, err := Find()
			if err != nil {
				t.Fatal(err)
			}
			if l.Path != want || l.Place != tt.place {
				t.Errorf("found %s in %s, want %s in %s", l.Path, l.Place, want, tt.place)
			}
		})
	}
}

// The python3 of PATH leads to its packages: directly, and out of a virtual
// environment.
func TestFindByPython(t *testing.T) {
	dir := emptyMachine(t)
	python := filepath.Join(dir, "opt", "python", "bin", "python3")
	if err := os.MkdirAll(filepath.Dir(python), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(python, []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(python, filepath.Join(dir, "bin", "python3")); err != nil {
		t.Skip(err)
	}
	want := put(t, dir, "opt/python/lib64/python3.13/site-packages/nvidia/cu13/lib/libnvrtc.so.13")
	if l, err := Find(); err != nil || l.Path != want {
		t.Errorf("found %+v, %v", l, err)
	}
}

func TestFindNewest(t *testing.T) {
	dir := emptyMachine(t)
	put(t, dir, "cuda/lib64/libnvrtc.so.11.2")
	put(t, dir, "cuda/lib64/libnvrtc-builtins.so.11.8")
	put(t, dir, "cuda-12.1/lib64/libnvrtc.so.12.1.105")
	cu129 := put(t, dir, "usr/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12")
	put(t, dir, "usr/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.9")
	put(t, dir, "usr/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.alt.so.12")
	put(t, dir, "cuda-10.2/lib64/libnvrtc.so.10.2.89")
	if err := os.Symlink("libnvrtc.so.12.1.105", filepath.Join(dir, "cuda-12.1/lib64/libnvrtc.so")); err != nil {
		t.Skip(err)
	}

	check := func(want string, major, minor, max int) {
		t.Helper()
		l, err := FindUpTo(max)
		if err != nil {
			t.Fatal(err)
		}
		if l.Path != want || l.major != major || l.minor != minor {
			t.Errorf("up to %d: found %s of version %d.%d, want %s of %d.%d", max, l.Path, l.major, l.minor, want, major, minor)
		}
	}
	check(cu129, 12, 9, 0)
	check(filepath.Join(dir, "cuda/lib64/libnvrtc.so.11.2"), 11, 8, 11)

	// What cannot be used does not count, and is told.
	garbage := put(t, dir, "cuda-14/lib64/libnvrtc.so.14")
	if err := os.WriteFile(garbage, []byte("version https://git-lfs"), 0o644); err != nil {
		t.Fatal(err)
	}
	other := put(t, dir, "cuda-15/lib64/libnvrtc.so.15")
	head := elfHead()
	binary.LittleEndian.PutUint16(head[18:], 8)
	if err := os.WriteFile(other, head, 0o644); err != nil {
		t.Fatal(err)
	}
	check(cu129, 12, 9, 0)
	all := All()
	if len(all) != 6 {
		t.Errorf("%d candidates, want 6: %+v", len(all), all)
	}
	for _, c := range all {
		if (c.Err != nil) != (c.Major >= 14 || c.Major == 10) {
			t.Errorf("%s: %v", c.Path, c.Err)
		}
	}

	_, err := FindUpTo(10)
	var me *MissingError
	if !errors.As(err, &me) || me.Max != 10 || !strings.Contains(err.Error(), "too new for this driver") {
		t.Errorf("up to 10: error is %T %v", err, err)
	}
}

func TestMissing(t *testing.T) {
	dir := emptyMachine(t)
	_, err := Find()
	var me *MissingError
	if !errors.As(err, &me) || len(me.Tried) == 0 {
		t.Fatalf("error is %T %v", err, err)
	}
	for _, want := range []string{"NVRTC", "QD_NVRTC"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in the error: %v", want, err)
		}
	}
	if runtime.GOOS == "linux" && !strings.Contains(err.Error(), "pip install nvidia-cuda-nvrtc") {
		t.Errorf("the error does not say how to get one: %v", err)
	}

	put(t, dir, "cuda/lib64/libnvrtc.so.12") // would be found, but is not what was asked for
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("hello"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, named := range []string{filepath.Join(dir, "none"), dir, text} {
		t.Setenv("QD_NVRTC", named)
		_, err := Find()
		if !errors.As(err, &me) || me.Named != named || !strings.Contains(err.Error(), named) {
			t.Errorf("%s: error is %T %v", named, err, err)
		}
	}
}

// A file that passes for a library until it is loaded.
func TestCannotBeLoaded(t *testing.T) {
	dir := emptyMachine(t)
	t.Setenv("QD_NVRTC", put(t, dir, "libnvrtc.so.12"))
	l, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.Compile(saxpy, "saxpy.cu", Options{Arch: "sm_80"})
	var ce *CompileError
	if !errors.As(err, &ce) || !strings.Contains(err.Error(), "cannot be loaded") || !strings.Contains(err.Error(), l.Path) {
		t.Errorf("error is %T %v", err, err)
	}
	if major, _ := l.Version(); major != 12 || l.Archs() != nil {
		t.Errorf("version %d, archs %v", major, l.Archs())
	}
}

func TestIdentity(t *testing.T) {
	dir := emptyMachine(t)
	t.Setenv("QD_NVRTC", dir)
	put(t, dir, "libnvrtc.so.12")
	identity := func() string {
		l, err := Find()
		if err != nil {
			t.Fatal(err)
		}
		return l.Identity()
	}
	first := identity()
	if identity() != first {
		t.Error("two finds of one library differ")
	}
	put(t, dir, "libnvrtc-builtins.so.12.9")
	if second := identity(); second == first || !strings.Contains(second, "12.9") {
		t.Errorf("the builtins are not part of the identity %s", second)
	}
}

func TestLDCache(t *testing.T) {
	// Two entries, and before them the older format, which is skipped.
	var strs []byte
	add := func(s string) uint32 {
		at := uint32(ldHeaderSize + 2*ldEntrySize + len(strs))
		strs = append(append(strs, s...), 0)
		return at
	}
	cache := make([]byte, ldHeaderSize+2*ldEntrySize)
	copy(cache, ldCacheMagic)
	binary.NativeEndian.PutUint32(cache[20:], 2)
	for i, e := range [][2]string{{"libm.so.6", "/lib/libm.so.6"}, {"libnvrtc.so.12", "/opt/x/libnvrtc.so.12"}} {
		entry := cache[ldHeaderSize+i*ldEntrySize:]
		binary.NativeEndian.PutUint32(entry[4:], add(e[0]))
		binary.NativeEndian.PutUint32(entry[8:], add(e[1]))
	}
	cache = append(cache, strs...)
	for _, before := range []string{"", "ld.so-1.7.0 and what follows"} {
		got := ldCacheLookup(append([]byte(before), cache...), "libnvrtc.so")
		if len(got) != 1 || got[0] != "/opt/x/libnvrtc.so.12" {
			t.Errorf("got %q", got)
		}
	}
	// Damage anywhere gives less, never a panic.
	for n := range cache {
		ldCacheLookup(cache[:n], "libnvrtc.so")
	}
	for i := range cache {
		bad := append([]byte(nil), cache...)
		bad[i] ^= 0xff
		ldCacheLookup(bad, "libnvrtc.so")
	}
	// That of this machine has the C library.
	if b, err := os.ReadFile(ldCachePath); err == nil && len(ldCacheLookup(b, "libc.so")) == 0 {
		t.Error("no C library in " + ldCachePath)
	}
}

func TestParseMessages(t *testing.T) {
	const log = `saxpy.cu(2): error: identifier "q" is undefined
  	p[0] = q;
  	       ^

dir (1)/k.go(41): warning #177-D: variable "u" was declared but never referenced
  __device__ int h() { int u;}
                           ^

Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"

saxpy.cu(1): catastrophic error: could not open source file "nope.h"
nvrtc: error: invalid value for --gpu-architecture (-arch)
ptxas fatal   : Unresolved extern function 'ext'
ptxas saxpy, line 5; error   : Unknown symbol 'x'
1 error detected in the compilation of "saxpy.cu".
`
	want := []Message{
		{"saxpy.cu", 2, 9, "error", `identifier "q" is undefined`},
		{"dir (1)/k.go", 41, 26, "warning", `variable "u" was declared but never referenced`},
		{"saxpy.cu", 1, 0, "catastrophic error", `could not open source file "nope.h"`},
		{"", 0, 0, "error", "invalid value for --gpu-architecture (-arch)"},
		{"", 0, 0, "fatal", "Unresolved extern function 'ext'"},
		{"", 0, 0, "error", "Unknown symbol 'x'"},
	}
	got := parseMessages(log)
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("missing %+v", want[i])
		case i >= len(want):
			t.Errorf("unexpected %+v", got[i])
		case got[i] != want[i]:
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
}
