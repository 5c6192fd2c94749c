//go:build unix && !race

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Processes that need the same module at the same time compile it once, all of
// them with the right result.
func TestProcessesBuildOnce(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 8} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			// The compiler waits for all processes to have come.
			m.counting(fmt.Sprintf(`until [ "$(ls "%s" | wc -l)" = %d ]; do sleep 0.02; done`, m.arrivals(), n))
			must(t, os.Mkdir(m.arrivals(), 0o777))
			results := make([]*result, n)
			var wg sync.WaitGroup
			for i := range n {
				cmd := m.command("/bin/sh", "-c", `: > "$0/$$"; exec "$@"`, m.arrivals(), stranger(t), "-device", "cpu", "saxpy")
				wg.Go(func() { results[i] = m.wait(cmd) })
			}
			wg.Wait()
			compiled := 0
			for _, r := range results {
				r.right("cpu", "saxpy").warned(0)
				if r.didCompile() {
					compiled++
				} else {
					r.cached("saxpy")
				}
			}
			if compiled != 1 {
				t.Errorf("%d processes say that they have compiled, want 1", compiled)
			}
			m.wantCompiles(1)
			m.wantNoLeftovers()
		})
	}
}

// arrivals is a directory with a file for each process that has started.
func (m *machine) arrivals() string { return filepath.Join(m.dir, "arrivals") }

// Processes that launch the kernels of two packages, each in another order, compile both
// once.
func TestProcessesBuildDifferently(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.counting("")
	var wg sync.WaitGroup
	kernels := []string{"saxpy", "wave", "step", "count"}
	const modules = 2 // that of the main package, and that of step's
	results := make([]*result, len(kernels))
	for i := range kernels {
		// Each begins with another one.
		args := append([]string{"-device", "cpu"}, rotated(kernels, i)...)
		cmd := m.command(stranger(t), args...)
		wg.Go(func() { results[i] = m.wait(cmd) })
	}
	wg.Wait()
	for i, r := range results {
		r.right("cpu", rotated(kernels, i)...).warned(0)
	}
	m.wantCompiles(modules)
	m.wantNoLeftovers()
}

// rotated is a list that begins with its i-th element.
func rotated(list []string, i int) []string {
	return append(append([]string(nil), list[i:]...), list[:i]...)
}

// A program that is killed while it compiles leaves nothing that hurts the next one,
// and what it leaves does not add up.
func TestKilledBuild(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	good := goodCompiler(t)
	running := filepath.Join(m.dir, "running")
	const kills = 3
	for range kills {
		// It has made a part of its output.
		m.compiler(`head -c 1000 /dev/zero > kernel.o; echo $$ > "` + running + `.new"; mv "` + running + `.new" "` + running + `"; exec sleep 600`)
		cmd := m.command(stranger(t), "-device", "cpu", "saxpy")
		must(t, cmd.Start())
		pid := waitForPID(t, running)
		must(t, syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL))
		if err := cmd.Wait(); err == nil {
			t.Error("the program has succeeded")
		}
		endOrphan(t, pid)
		must(t, os.Remove(running))
	}

	m.compiler(`exec "` + good + `" "$@"`)
	m.run(stranger(t), "-device", "cpu", "saxpy").right("cpu", "saxpy").compiled("saxpy").warned(0)
	m.run(stranger(t), "-device", "cpu", "saxpy").right("cpu", "saxpy").cached("saxpy").warned(0)

	// What is left is removed by a later build, when it is certain that nobody
	// works with it any more.
	old := time.Now().Add(-48 * time.Hour)
	age := func(path string) { must(t, os.Chtimes(path, old, old)) }
	for _, dir := range []string{m.tmp, filepath.Join(m.cache, "v1", "tmp"), filepath.Join(m.cache, "v1", "locks")} {
		entries, err := os.ReadDir(dir)
		must(t, err)
		if len(entries) > kills {
			t.Errorf("%d builds that were killed left %q", kills, entries)
		}
		for _, e := range entries {
			age(filepath.Join(dir, e.Name()))
		}
	}
	age(filepath.Join(m.cache, "v1", "trimmed")) // when the cache last looked
	m.run(stranger(t), "-device", "cpu", "step").right("cpu", "step").compiled("Step").warned(0)
	m.wantNoLeftovers()
}

// Many goroutines of one process, in each other's way: see also
// TestConcurrentLaunches, in this process.
func TestGoroutines(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.counting("sleep 0.2")
	kernels := []string{"saxpy", "wave", "step", "count"}
	for _, device := range []string{"go", "cpu"} {
		args := append([]string{"-device", device, "-goroutines", "8"}, kernels...)
		r := m.run(stranger(t), args...)
		var want []string
		for g := range 8 {
			want = append(want, rotated(kernels, g%len(kernels))...)
		}
		r.right(device, want...)
		if device == "cpu" {
			r.compiled("saxpy", "wave", "Step", "count")
		}
	}
	m.wantCompiles(2)
	m.wantNoLeftovers()
}
