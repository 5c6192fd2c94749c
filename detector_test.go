package qd_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testmodule"
)

// The race detector finds the race in a kernel that runs as Go, at its line, however
// many cores there are, and none where there is none.
func TestRaceDetector(t *testing.T) {
	if why := noRaceDetector(); why != "" {
		t.Skip("the race detector does not work here: " + why)
	}
	program := filepath.Join(t.TempDir(), "race.test")
	err := testmodule.Build("qd-race", program, func(path string) error {
		out, err := exec.Command("go", "test", "-race", "-ldflags=-w", "-c", "-o", path, "./testdata/race").CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w\n%s", err, out)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ test, kernel string }{{"TestAdd", "add"}, {"TestShift", "shift"}, {"TestAtomic", ""}, {"TestSmooth", "smooth"}, {"TestPhases", ""},
		{"TestNeighbours", "neighbours"}, {"TestWaiting", ""}, {"TestLanes", "lanes"}, {"TestStretches", ""}} {
		for _, cores := range []int{1, 4} {
			cmd := exec.Command(program, "-test.run=^"+tt.test+"$")
			cmd.Dir = filepath.Join("testdata", "race")
			cmd.Env = append(os.Environ(), fmt.Sprint("GOMAXPROCS=", cores), "GORACE=atexit_sleep_ms=0")
			out, err := cmd.CombinedOutput()
			if tt.kernel == "" {
				if err != nil {
					t.Errorf("%s, %d cores: %v\n%s", tt.test, cores, err, out)
				}
				continue
			}
			where := "race.go:" + fmt.Sprint(lineWith(t, "testdata/race/race.go", "// the race of "+tt.kernel))
			if err == nil || !strings.Contains(string(out), "WARNING: DATA RACE") || !strings.Contains(string(out), where) {
				t.Errorf("%s, %d cores: %v, want a data race at %s\n%s", tt.test, cores, err, where, out)
			}
		}
	}
}

// noRaceDetector says why programs cannot be built with -race, "" if they can.
func noRaceDetector() string {
	cmd := exec.Command("go", "build", "-race", "-o", os.DevNull, "runtime/race")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Sprintf("%v: %s", err, out)
	}
	out, err := exec.Command("go", "env", "CC").Output()
	if err != nil {
		return err.Error()
	}
	cc := strings.Fields(string(out))
	if len(cc) == 0 {
		return "no C compiler is named"
	}
	if _, err := exec.LookPath(cc[0]); err != nil {
		return err.Error()
	}
	return ""
}

// lineWith is the number of the line of a file that has a text.
func lineWith(t *testing.T, file, text string) int {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(src), text)
	if !found {
		t.Fatalf("%s has no line with %q", file, text)
	}
	return 1 + strings.Count(before, "\n")
}
