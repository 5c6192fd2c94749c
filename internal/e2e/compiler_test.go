//go:build unix && !race

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// There is no compiler: device cpu says how to get one, and the best device is go.
func TestNoCompiler(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.env["PATH"] = filepath.Join(m.dir, "empty")
	hidden := append(hiddenCompilers(t), m.dir+"/empty=4k")
	m.wait(m.withMounts(m.command(stranger(t), "-device", "cpu", "saxpy"), hidden...)).
		fails("*qd.MissingError", "device cpu", "no C++17 compiler found", "install clang", "QD_CXX")
	m.wait(m.withMounts(m.command(stranger(t), "saxpy", "wave"), hidden...)).right("go", "saxpy", "wave").warned(0)
}

// QD_CXX names nothing: device cpu says so, and the best device is go, with a
// warning: somebody wanted another one.
func TestNamedCompilerMissing(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.env["QD_CXX"] = "no-such-compiler"
	m.env["QD_NVRTC"] = "/nowhere" // nor a GPU's
	m.run(stranger(t), "-device", "cpu", "saxpy").fails("*qd.MissingError", "device cpu", "QD_CXX", "no-such-compiler")
	m.run(stranger(t), "saxpy").right("go", "saxpy").warned(1).logs("WARN .*QD_CXX .*no-such-compiler")
	m.env["QD_DEVICE"] = "cpu"
	m.run(stranger(t), "saxpy").fails("*qd.MissingError", "device cpu", "QD_CXX")
}

// A compiler that does not do its work is reported, nothing of it is kept, and
// with another one everything is right again.
func TestBadCompiler(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, script string
		want         string
	}{
		{"fails", "exit 3", "exit status 3"},
		{"fails with a message", `echo "kernel.cpp:1:1: error: I do not like this" >&2; exit 1`, "I do not like this"},
		{"crashes", "kill -SEGV $$", "segmentation fault"},
		{"prints garbage and fails", "head -c 3000000 /dev/urandom >&2; exit 1", "exit status 1"},
		{"prints garbage and succeeds", "head -c 3000000 /dev/urandom", "reported success and wrote no output"},
		{"does nothing", "exit 0", "reported success and wrote no output"},
		{"writes nothing", ": > kernel.o", "reported success and wrote no output"},
		{"writes garbage", "head -c 5000 /dev/urandom > kernel.o", ""},
		{"is no program", "", "cannot be run"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.compiler(tt.script)
			if tt.script == "" {
				if err := os.WriteFile(m.env["QD_CXX"], []byte("\x00\x01 neither a program nor a script\n"), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 { // the second run finds no trace of the first
				r := m.run(stranger(t), "-device", "cpu", "saxpy").
					fails("*qd.CompileError", "emitted", "saxpy", m.env["QD_CXX"], tt.want)
				if len(r.stderr) > 100_000 {
					t.Errorf("the error has %d bytes", len(r.stderr))
				}
			}
			if kept := files(t, filepath.Join(m.cache, "v1", "modules")); len(kept) > 0 {
				t.Errorf("in the cache: %q", kept)
			}
			m.wantNoLeftovers()

			// The same file is mended.
			m.counting("")
			m.run(stranger(t), "-device", "cpu", "saxpy").right("cpu", "saxpy").compiled("saxpy")
			m.wantCompiles(1)
			m.wantNoLeftovers()
		})
	}
}

// A compiler that hangs does not keep a program from being ended, and ends with it.
func TestHangingCompiler(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	running := filepath.Join(m.dir, "running")
	m.compiler(`echo $$ > "` + running + `.new"; mv "` + running + `.new" "` + running + `"; exec sleep 600`)
	cmd := m.command(stranger(t), "-device", "cpu", "saxpy")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := waitForPID(t, running)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("the program has succeeded")
	}
	endOrphan(t, pid)
	m.counting("")
	m.run(stranger(t), "-device", "cpu", "saxpy").right("cpu", "saxpy").compiled("saxpy")
}

// Any C++17 compiler will do.
func TestGCC(t *testing.T) {
	t.Parallel()
	path, err := exec.LookPath("g++")
	if err != nil {
		t.Skip("there is no g++ here")
	}
	m := newMachine(t)
	m.env["QD_CXX"] = "g++"
	kernels := []string{"saxpy", "wave", "step", "count"}
	args := append([]string{"-device", "cpu"}, kernels...)
	m.run(stranger(t), args...).right("cpu", kernels...).compiled("saxpy", "wave", "Step", "count")
	m.run(stranger(t), args...).right("cpu", kernels...).cached("saxpy", "wave", "Step", "count")
	m.wantNoLeftovers()

	// Flags are part of the name, and another compiler's modules are not taken.
	m.env["QD_CXX"] = path + " -O1"
	m.run(stranger(t), "-device", "cpu", "saxpy").right("cpu", "saxpy").compiled("saxpy")
	if good := goodCompiler(t); !strings.Contains(filepath.Base(good), "g++") {
		m.env["QD_CXX"] = good
		m.run(stranger(t), "-device", "cpu", "saxpy").right("cpu", "saxpy").compiled("saxpy")
	}
}
