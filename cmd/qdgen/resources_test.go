package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/qdgen/qd/cmd/qdgen/cost"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/nvrtc"
)

// nvrtcs are the settings that make the command use each NVRTC: the one that make setup
// installs, which it finds itself, and older ones where they are.
func nvrtcs(t *testing.T) map[string][]string {
	t.Helper()
	if _, err := nvrtc.Find(); err != nil {
		testenv.Missing(t, err)
	}
	all := map[string][]string{"the newest": nil}
	for _, major := range []int{11, 12} {
		dir := filepath.Join(os.Getenv("QD_TOOLS"), fmt.Sprintf("nvrtc-cu%d", major))
		if _, err := os.Stat(dir); err == nil {
			all[fmt.Sprint("CUDA ", major)] = []string{"QD_NVRTC=" + dir}
		}
	}
	return all
}

// What kernels cost, and why: the kernels of testdata/cost are written for it.
func TestEmitResources(t *testing.T) {
	for name, env := range nvrtcs(t) {
		t.Run(name, func(t *testing.T) {
			var all []*cost.Kernel
			qdgen(t, ".", env, "emit", "./testdata/cost", "--resources", "--json", "--arch", "sm_90").parse(t, &all)
			byName := map[string]*cost.Kernel{}
			for _, k := range all {
				byName[k.Kernel] = k
				if k.Package != "github.com/qdgen/qd/cmd/qdgen/testdata/cost" || k.Arch != "sm_90" || k.Registers < 4 || k.Code < 128 || k.Constant < 500 || k.Local < k.Frame && k.Kernel != "recursive" || k.MaxThreads < 256 {
					t.Errorf("%+v", *k)
				}
				if (k.SpillStores > 0) != (k.SpillLoads > 0) {
					t.Errorf("%s stores %d bytes and loads %d", k.Kernel, k.SpillStores, k.SpillLoads)
				}
			}
			for _, tt := range []struct {
				kernel   string
				frame    [2]int // from, to
				spills   bool
				shared   int
				warnings []string // line, kind, local
			}{
				{"plain", [2]int{0, 0}, false, 0, nil},
				{"picked", [2]int{160, 160}, false, 0, []string{"26 array w"}},
				{"summed", [2]int{32, 32}, false, 0, []string{"41 array a"}},
				{"large", [2]int{200, 5000}, true, 0, []string{"54 spill v"}},
				{"many", [2]int{200, 5000}, true, 0, []string{"7*|8* spill ", "7*|8* spill ", "7*|8* spill "}},
				{"wave", [2]int{28, 64}, false, 0, []string{"92|93 library "}},
				{"shared", [2]int{0, 0}, false, 400, nil},
				{"local", [2]int{0, 0}, false, 0, nil},
				{"localPicked", [2]int{160, 160}, false, 0, []string{"131 array "}},
				{"recursive", [2]int{0, 0}, false, 0, []string{"155 library ", "160 library "}},
				{"appended", [2]int{64, 64}, false, 0, []string{"175 array "}},
				{"walked", [2]int{128, 128}, false, 0, []string{"201 array stack"}},
				{"steps.1", [2]int{0, 0}, false, 0, nil},
				{"steps.2", [2]int{0, 0}, false, 0, nil},
			} {
				k := byName[tt.kernel]
				if k == nil {
					t.Errorf("nothing is said of %s", tt.kernel)
					continue
				}
				if k.Frame < tt.frame[0] || k.Frame > tt.frame[1] || (k.SpillStores > 0) != tt.spills || k.Shared != tt.shared {
					t.Errorf("%+v", *k)
				}
				if tt.spills && (k.Registers != 255 || k.MaxThreads != 256) {
					t.Errorf("%s spills with %d registers, in blocks of %d", k.Kernel, k.Registers, k.MaxThreads)
				}
				if len(k.Warnings) < len(tt.warnings) || len(k.Warnings) > len(tt.warnings) && tt.kernel != "wave" {
					t.Errorf("%s: %+v", k.Kernel, k.Warnings)
					continue
				}
				for i, want := range tt.warnings {
					w := k.Warnings[i]
					if got := fmt.Sprint(w.Line, " ", w.Kind, " ", w.Local); !likeOne(got, want) || filepath.Base(w.File) != "kernels.go" || w.Column == 0 || w.Stores+w.Loads == 0 {
						t.Errorf("%s: %s, want %s: %+v", k.Kernel, got, want, w)
					}
				}
			}
			if s, p := byName["stored[float32]"], byName["storedPlainly"]; s == nil || p == nil || s.Code != p.Code || s.Registers != p.Registers || len(s.Functions) > 0 {
				t.Errorf("qd.To32 and qd.From32 cost something for float32: %+v, without them %+v", s, p)
			}
			if r := byName["recursive"]; r != nil && (r.Local != -1 || len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0].Text, "collatz, which calls itself")) {
				t.Errorf("%+v", *r)
			}
			// The functions that are not inlined are named: the reduction of large angles.
			if w := byName["wave"]; w != nil && (len(w.Functions) == 0 || !strings.Contains(w.Functions[0].Name, "trig_reduction") || w.Functions[0].Code == 0) {
				t.Errorf("functions of wave: %+v", w.Functions)
			}
		})
	}
}

// TestLocalMemoryInPTX holds the pages to what they say of PTX: it shows arrays that are indexed at run time, and no
// spills.
func TestLocalMemoryInPTX(t *testing.T) {
	for _, tt := range []struct {
		kernel string
		found  bool
	}{{"picked", true}, {"localPicked", true}, {"large", false}, {"many", false}, {"local", false}, {"plain", false}} {
		r := qdgen(t, ".", nvrtcs(t)["the newest"], "emit", "./testdata/cost", "--kernel", tt.kernel, "--target", "ptx", "--arch", "sm_90")
		if found := strings.Contains(r.stdout, "ld.local"); found != tt.found || !strings.Contains(r.stdout, "ld.global") {
			t.Errorf("%s: ld.local is in its PTX: %v\n%s", tt.kernel, found, r.stderr)
		}
	}
}

// likeOne reports whether text is like a pattern: words, of which the first may have
// alternatives and a * at their end.
func likeOne(text, pattern string) bool {
	first, rest, _ := strings.Cut(pattern, " ")
	got, others, _ := strings.Cut(text, " ")
	for alternative := range strings.SplitSeq(first, "|") {
		prefix, wild := strings.CutSuffix(alternative, "*")
		if (got == alternative || wild && strings.HasPrefix(got, prefix)) && others == rest {
			return true
		}
	}
	return false
}

// The table, its warnings, and the same for several architectures.
func TestEmitResourcesTable(t *testing.T) {
	env := nvrtcs(t)["the newest"]
	r := qdgen(t, ".", env, "emit", "./testdata/cost", "../../examples/saxpy", "--resources", "--arch", "sm_80,sm_90", "--arch", "sm_120", "--kernel", "picked")
	r.want(t, exitOK, []string{"KERNEL"}, []string{
		"warning: testdata/cost/kernels.go:26:2: w, [40]float32, is in local memory, 160 bytes for each thread: it is indexed at run time, and registers cannot be indexed (kernel picked, sm_80, sm_90, sm_120)\nhelp: ",
	})
	lines := strings.Split(strings.TrimSpace(r.stdout), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines:\n%s", len(lines), r.stdout)
	}
	for i, want := range []string{"KERNEL ARCH REGISTERS FRAME SPILL STORES SPILL LOADS SHARED LOCAL CONSTANT CODE THREADS", "picked sm_80 * 160 0 0 0 160 * * 1024", "picked sm_90 * 160 0 0 0 160 * * 1024", "picked sm_120 * 160 0 0 0 160 * * 1024"} {
		if !likeWords(lines[i], want) {
			t.Errorf("line %d is not like %q:\n%s", i, want, r.stdout)
		}
	}
	if n := strings.Count(r.stderr, "warning: "); n != 1 {
		t.Errorf("%d warnings:\n%s", n, r.stderr)
	}

	// With kernels of several packages each row says whose.
	qdgen(t, ".", env, "emit", "../../examples/saxpy", "../../examples/heat", "--resources").want(t, exitOK, []string{"\ngithub.com/qdgen/qd/examples/saxpy.saxpy   sm_90 ", "\ngithub.com/qdgen/qd/examples/heat.burn "}, nil)
	// A checked build costs more.
	plain := qdgen(t, ".", env, "emit", "../../examples/saxpy", "--resources").stdout
	checked := qdgen(t, ".", env, "emit", "../../examples/saxpy", "--resources", "--checked").stdout
	if plain == checked || !strings.Contains(checked, "saxpy") {
		t.Errorf("unchecked\n%schecked\n%s", plain, checked)
	}
}

func TestEmitResourcesErrors(t *testing.T) {
	env := nvrtcs(t)["the newest"]
	for _, tt := range []struct {
		name   string
		env    []string
		args   []string
		exit   int
		stderr string
	}{
		{"PTX alone", env, []string{"--arch", "compute_90"}, exitError, "read from machine code, which exists for architectures such as sm_90, not for compute_90"},
		{"unknown architecture", env, []string{"--arch", "sm_10"}, exitError, "sm_10"},
		{"target", env, []string{"--target", "ptx"}, exitUsage, "--resources and --target exclude each other"},
		{"files", env, []string{"-o", t.TempDir()}, exitUsage, "--resources prints a table"},
		{"no NVRTC", []string{"QD_NVRTC=/nowhere"}, nil, exitError, "/nowhere"},
		{"no architecture", env, []string{"--arch", ""}, exitUsage, "--arch names no architecture"},
		{"not an architecture", nil, []string{"--arch", "sm_80,hopper"}, exitUsage, "--arch hopper: an architecture is written as sm_90"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{"emit", "../../examples/saxpy", "--resources"}, tt.args...)
			qdgen(t, ".", tt.env, args...).want(t, tt.exit, nil, []string{tt.stderr})
		})
	}
	qdgen(t, ".", env, "emit", "./testdata/refused", "--resources").want(t, exitError, nil, []string{"kernel.go:10:12: a kernel cannot allocate memory: the capacity len(x) is not known at compile time\n"})
}

// What docs/language.md shows of the costs of its kernels is what is printed, up to the
// numbers and lines that another NVRTC would give.
func TestCostsInTheDocumentation(t *testing.T) {
	env := nvrtcs(t)["the newest"]
	page := read(t, filepath.Join(testenv.Root(), "docs", "language.md"))
	_, section, _ := strings.Cut(page, "\n## What a kernel costs\n")
	between := func(text, from, to string) string {
		_, text, _ = strings.Cut(text, from)
		text, _, _ = strings.Cut(text, to)
		return text
	}
	program, shown := between(section, "```go\n", "```"), between(section, "$ qdgen emit --resources --arch sm_90\n", "```")
	dir := newModule(t, nil)
	write(t, filepath.Join(dir, "kernels.go"), "package main\n\nimport (\n\t\"fmt\"\n\t\"log\"\n\n\t\"github.com/qdgen/qd\"\n)\n\n"+program)
	r := qdgen(t, dir, append(env, inModule...), "emit", "--resources", "--arch", "sm_90")
	if r.exit != exitOK {
		t.Fatalf("exit status %d\n%s", r.exit, r.stderr)
	}
	numbers := regexp.MustCompile(`(kernels\.go:)\d+:\d+| +\d+`)
	if got, want := numbers.ReplaceAllString(r.stdout+r.stderr, "$1 N"), numbers.ReplaceAllString(shown, "$1 N"); got != want {
		t.Errorf("it prints\n%s%s\nand the page says\n%s", r.stdout, r.stderr, shown)
	}
	var all []*cost.Kernel
	qdgen(t, dir, append(env, inModule...), "emit", "--resources", "--json").parse(t, &all)
	if len(all) != 2 || all[0].SpillStores == 0 || all[1].SpillStores != 0 || all[1].Frame != 0 || all[1].MaxThreads <= all[0].MaxThreads {
		t.Errorf("not as the page tells: %+v", all)
	}
}
