package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/qdgen/qd/cmd/qdgen/listed"
	"github.com/qdgen/qd/internal/testenv"
)

// binary is the command: this program, started by one of its own tests.
var binary string

// asCommand is in the environment of what tests start.
const asCommand = "QDGEN_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	testenv.Setup()
	checkout, err := filepath.Abs("../..")
	if err == nil {
		binary, err = os.Executable()
	}
	if err == nil {
		err = os.Setenv(asCommand, "1")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goList = remembered(goList, checkout)
	os.Exit(m.Run())
}

// remembered lists the same patterns in the same directory once, until a file in it changes. Of the packages of this
// checkout, wherever they are, no test changes one.
func remembered(list func(listed.Query) (*listed.List, error), checkout string) func(listed.Query) (*listed.List, error) {
	var mu sync.Mutex
	lists := make(map[string]func() (*listed.List, error))
	return func(q listed.Query) (*listed.List, error) {
		var err error
		if q.Dir, err = os.Getwd(); err != nil {
			return nil, err
		}
		state := ""
		// What a test looks at are its inputs for go test. If it looked at the whole checkout, what make test writes there
		// would have it run again each time.
		if q.Dir != checkout {
			if state, err = stateOf(q.Dir); err != nil {
				return nil, err
			}
		}
		key := fmt.Sprintf("%#v %s", q, state)
		mu.Lock()
		known := lists[key]
		if known == nil {
			known = sync.OnceValues(func() (*listed.List, error) { return list(q) })
			lists[key] = known
		}
		mu.Unlock()
		return known()
	}
}

// stateOf tells the files of a directory, and when they were written.
func stateOf(dir string) (string, error) {
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			fmt.Fprintln(&all, path, info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	return all.String(), err
}

// A result is what a run of the command has left.
type result struct {
	stdout, stderr string
	exit           int
}

// enter makes a directory the working directory of a test that is not parallel, and sets variables. The test then runs
// the command in this process, with qdgen(t, ".", nil, ...), and what it runs has a list of packages in common.
func enter(t *testing.T, dir string, env []string) {
	t.Helper()
	t.Chdir(dir)
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
}

// qdgen runs the command in dir, with variables added to the environment. Where it is to see what this process sees, it
// runs in this process, which spares its start and most starts of the go command. A page of explain is not made so: it
// has the command line of the process.
func qdgen(t *testing.T, dir string, env []string, args ...string) result {
	t.Helper()
	if dir != "." || len(env) > 0 || isCopy(args) || isVetTool(args) || slices.Contains(args, "explain") && !slices.Contains(args, "--json") {
		return program(t, dir, binary, env, args...)
	}
	var stdout, stderr bytes.Buffer
	exit := run(args, &stdout, &stderr)
	return result{stdout: stdout.String(), stderr: stderr.String(), exit: exit}
}

// program runs a program in dir, with variables added to the environment.
func program(t *testing.T, dir, path string, env []string, args ...string) result {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return result{stdout: stdout.String(), stderr: stderr.String(), exit: cmd.ProcessState.ExitCode()}
}

// want fails the test unless the command ended with that status, printed to
// standard error only if it failed, and to each what has the parts.
func (r result) want(t *testing.T, exit int, stdout, stderr []string) {
	t.Helper()
	if r.exit != exit {
		t.Errorf("exit status %d, want %d", r.exit, exit)
	}
	for _, stream := range []struct {
		name, text string
		parts      []string
	}{{"stdout", r.stdout, stdout}, {"stderr", r.stderr, stderr}} {
		if len(stream.parts) == 0 && stream.text != "" {
			t.Errorf("%s, where nothing was expected: %s", stream.name, stream.text)
		}
		for _, p := range stream.parts {
			if !strings.Contains(stream.text, p) {
				t.Errorf("%s does not have %q:\n%s", stream.name, p, stream.text)
			}
		}
	}
	if t.Failed() {
		t.Logf("exit status %d\nstdout: %s\nstderr: %s", r.exit, r.stdout, r.stderr)
	}
}

// parse reads what --json printed; unknown fields are faults.
func (r result) parse(t *testing.T, into any) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(r.stdout))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		t.Fatalf("%v in\n%s", err, r.stdout)
	}
}
