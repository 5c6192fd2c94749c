package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/testenv"
)

// programModule is the module of testdata/program.txtar, and the settings for its commands.
func programModule(t *testing.T, device string) (dir string, env []string) {
	t.Helper()
	archive, err := os.ReadFile("testdata/program.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir = newModule(t, archive)
	if device == "cpu" {
		if _, err := clang.Find(); err != nil {
			testenv.Missing(t, err)
		}
	}
	return dir, append(slices.Clone(inModule), "DEVICE="+device, "QD_CACHE="+filepath.Join(t.TempDir(), "cache"))
}

// TestEmitProgram prints the specializations of a run, on each device, with an empty cache and with a full one.
func TestEmitProgram(t *testing.T) {
	t.Parallel()
	dir, env := programModule(t, "cpu")
	for _, device := range []string{"cpu", "cpu", "go"} {
		env := append(slices.Clone(env), "DEVICE="+device)
		r := qdgen(t, dir, env, "emit", "--program", ".", "--target", "cpp", "--", "one", "0")
		at := regexp.QuoteMeta(dir)
		r.want(t, 0, []string{"// kernel Scale[float32] of package example.com/app/kernels in C++, emitted by qdgen\n"}, []string{"[507 507 507 507] [one 0]\n"})
		var got []string
		for line := range strings.Lines(r.stdout) {
			if strings.HasSuffix(line, " on "+device+"\n") {
				got = append(got, line)
			}
		}
		want := []string{
			`// main\.main\.func1 \(` + at + `/main\.go:23:\d+\) with captured c=2 on ` + device,
			`// main\.main\.func1 \(` + at + `/main\.go:23:\d+\) with captured c=3 on ` + device,
			`// example\.com/app/kernels\.Scale\[float32\] \(` + at + `/kernels/kernels\.go:6:6\) with by=10 on ` + device,
			`// example\.com/app/kernels\.Scale\[float64\] \(` + at + `/kernels/kernels\.go:6:6\) with by=0\.5 on ` + device,
			`// example\.com/app/kernels\.Shift\.Kernel \(` + at + `/kernels/kernels\.go:11:16\) with receiver s=kernels\.Shift\{7\} on ` + device,
		}
		if len(got) != len(want) {
			t.Fatalf("%d specializations, want %d:\n%s%s", len(got), len(want), r.stdout, r.stderr)
		}
		for i := range want {
			if !regexp.MustCompile("^" + want[i] + "\n$").MatchString(got[i]) {
				t.Errorf("specialization %d is %swant %s", i, got[i], want[i])
			}
		}
		if strings.Contains(r.stdout, "Unused") {
			t.Error("a kernel is printed that has not been launched")
		}
	}
}

// TestEmitProgramOutput prints them in other forms.
func TestEmitProgramOutput(t *testing.T) {
	t.Parallel()
	dir, env := programModule(t, "go")
	run := func(args ...string) result {
		return qdgen(t, dir, env, append([]string{"emit", "--program", "."}, args...)...)
	}
	out := filepath.Join(t.TempDir(), "out")
	r := run("-o", out, "--kernel", "Scale")
	r.want(t, 0, []string{" with by=10 on go\n", " with by=0.5 on go\n"}, []string{"[507 507 507 507] []\n"})
	files, err := filepath.Glob(filepath.Join(out, "kernels.Scale-float*.cu"))
	if err != nil || len(files) != 2 || strings.Count(r.stdout, "\n") != 2 {
		t.Errorf("files %q, listed\n%s", files, r.stdout)
	}
	for _, f := range files {
		if !strings.Contains(r.stdout, f+": example.com/app/kernels.Scale[float") || !strings.Contains(read(t, f), "in CUDA") {
			t.Errorf("%s is not listed, or is no CUDA:\n%s", f, r.stdout)
		}
	}

	var list []struct {
		Package, Kernel, Target, Arch, Text, File, Device string
		Line                                              int
		Checked                                           bool
		Values                                            []struct{ Name, Kind, Value string }
	}
	r = run("--json", "--target", "ssa", "--checked", "--kernel", "Shift.Kernel")
	r.parse(t, &list)
	if len(list) != 1 || list[0].Kernel != "Shift.Kernel" || list[0].Values[0].Value != "kernels.Shift{7}" || !strings.Contains(list[0].Text, "const 7") || list[0].Line != 11 {
		t.Errorf("%+v", list)
	}
	run("--target", "asm", "--kernel", "Shift.Kernel").want(t, 0, []string{"# example.com/app/kernels.Shift.Kernel (", "Shift_Kernel"}, []string{"[507"})
}

// TestEmitProgramFails keeps the program's exit status and says what is wrong.
func TestEmitProgramFails(t *testing.T) {
	t.Parallel()
	dir, env := programModule(t, "go")
	for _, tt := range []struct {
		name   string
		args   []string
		exit   int
		stdout []string
		stderr []string
	}{
		{"exit status", []string{"--program", ".", "--", "x", "7"}, 7, []string{"Scale[float64]"}, []string{"[507 507 507 507] [x 7]\n", "qdgen: . ended with exit status 7\n"}},
		{"no launch", []string{"--program", ".", "--", "nothing"}, 1, nil, []string{"qdgen: the program has made no specialization of a kernel\n"}},
		{"no such kernel", []string{"--program", ".", "--kernel", "Unused"}, 1, nil, []string{"the program has made no specialization of kernel Unused; it has made some of main.func1, Scale, Shift.Kernel\n"}},
		{"no program", []string{"--program", "./kernels"}, 2, nil, []string{"--program ./kernels: it is not one package main"}},
		{"no package", []string{"--program", "./none"}, 1, nil, []string{"none"}},
		{"packages too", []string{"--program", ".", "./kernels"}, 2, nil, []string{`--program runs one program, but "./kernels" is given too`}},
		{"types", []string{"--program", ".", "--type", "T=int"}, 2, nil, []string{"select an instance by its name, as in --kernel 'axpy[float32]'"}},
		{"a value", []string{"--program", ".", "--const", "by=10"}, 0, []string{" with by=10 on go\n"}, []string{"[507"}},
		{"no such value", []string{"--program", ".", "--const", "by=1"}, 1, nil, []string{"--const by=1: no specialization has this value; those that the program has made have 0.5, 10\n"}},
		{"no value of this name", []string{"--program", ".", "--const", "bye=1"}, 1, nil, []string{"--const bye=1: no specialization has a value bye\n"}},
		{"stage", []string{"--program", ".", "--kernel", "Shift.Kernel", "--after", "lower"}, 0, []string{"; example.com/app/kernels.Shift.Kernel (", "kernel Shift.Kernel"}, []string{"[507"}},
		{"stage of a target", []string{"--program", ".", "--kernel", "Shift.Kernel", "--target", "cpp", "--after", "fission"}, 0, []string{"kernel Shift.Kernel"}, []string{"[507"}},
		{"all stages", []string{"--program", ".", "--kernel", "Shift.Kernel", "--target", "cuda", "--after", "all"}, 0, []string{"== after lower", "== after optimize"}, []string{"[507"}},
		{"no such stage", []string{"--program", ".", "--after", "fishing"}, 2, nil, []string{"there is no such stage"}},
		{"cost", []string{"--program", ".", "--resources"}, 2, nil, []string{"--resources tells costs by the lines of the package's source"}},
		{"lines", []string{"--program", ".", "--line-directives"}, 2, nil, []string{"leave out --line-directives"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			qdgen(t, dir, env, append([]string{"emit"}, tt.args...)...).want(t, tt.exit, tt.stdout, tt.stderr)
		})
	}
}

// TestDump writes every module that a program loads, also from the cache.
func TestDump(t *testing.T) {
	t.Parallel()
	dir, env := programModule(t, "cpu")
	binary := filepath.Join(t.TempDir(), "program")
	env = append(env, buildIn(t, dir, binary))
	run := func(dump string, more ...string) (stderr string) {
		t.Helper()
		r := program(t, dir, binary, append(append(slices.Clone(env), "QD_LOG=info", "QD_DUMP="+dump), more...))
		r.want(t, 0, []string{"[507 507 507 507] []\n"}, []string{"INFO module "})
		return r.stderr
	}
	var first []string
	for _, how := range []string{"compiled", "cached"} {
		dump := filepath.Join(t.TempDir(), "new", "dump")
		stderr := run(dump)
		loaded := regexp.MustCompile(`module \S+ ([0-9a-f]{7}) loaded on cpu in \S+ \(`+how+`\)`).FindAllStringSubmatch(stderr, -1)
		entries, err := os.ReadDir(dump)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
			if info, err := e.Info(); err != nil || info.Size() == 0 {
				t.Errorf("%s is empty", e.Name())
			}
		}
		for _, m := range loaded {
			for _, ext := range []string{".cpp", ".s", ".so"} {
				if !slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(n, "-"+m[1]+ext) }) {
					t.Errorf("module %s has no %s among %q", m[1], ext, names)
				}
			}
		}
		if len(loaded) < 4 || len(names) != 3*len(loaded) || first != nil && !slices.Equal(names, first) {
			t.Errorf("%s: %d modules in the files %q, first %q", how, len(loaded), names, first)
		}
		first = names
		if !slices.ContainsFunc(names, regexp.MustCompile(`^kernels\.Scale-float32-10-[0-9a-f]{7}\.cpp$`).MatchString) {
			t.Errorf("no file is named for the specialization: %q", names)
		}
	}
	// What cannot be written is said once.
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	if stderr := run(file); strings.Count(stderr, "QD_DUMP") != 1 {
		t.Errorf("a file in the place of the directory: %s", stderr)
	}
	if stderr := run(filepath.Join(t.TempDir(), "d"), "QD_DUMP_TARGETS=cpp,mips"); !strings.Contains(stderr, "QD_DUMP_TARGETS=mips: kernel main.main.func1: there is no such target; the targets are cpp, cuda and ssa") {
		t.Errorf("an unknown target: %s", stderr)
	}
}
