package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/qdgen/qd/clang"
)

// program builds one of the programs that are timed, in a directory of its own, with flags for the go command.
func program(name string, flags ...string) (exe, dir string, err error) {
	dir, err = os.MkdirTemp("", "qdgen-bench-")
	if err != nil {
		return "", "", err
	}
	exe = filepath.Join(dir, name)
	out, err := exec.Command("go", append(append([]string{"build", "-o", exe}, flags...), "github.com/qdgen/qd/bench/"+name)...).CombinedOutput()
	if err != nil {
		os.RemoveAll(dir)
		if errors.Is(err, exec.ErrNotFound) {
			return "", "", missing("go, which builds the programs that are timed, is not in PATH")
		}
		return "", "", fmt.Errorf("go build: %v\n%s", err, out)
	}
	return exe, dir, nil
}

// took runs a command, and gives the time that it and what it started took, and its output.
func took(cmd *exec.Cmd) (total time.Duration, out []byte, err error) {
	begin := time.Now()
	out, err = cmd.CombinedOutput()
	if total = time.Since(begin); *byProcessor && cmd.ProcessState != nil {
		total = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	return total, out, err
}

// start runs the program with a cache directory and more of an environment, and gives the time that it took,
// and the time that the program itself says it took to have its kernel ready.
func start(exe, cacheDir string, env ...string) (total, ready time.Duration, err error) {
	cmd := exec.Command(exe)
	cmd.Env = append(append(os.Environ(), "QD_CACHE="+cacheDir), env...)
	total, out, err := took(cmd)
	if err != nil {
		return 0, 0, fmt.Errorf("%v\n%s", err, out)
	}
	ns, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return total, time.Duration(ns), err
}

// cold times a program from its start to its first result, with nothing cached,
// beside the compiler alone on the same emitted file with the same options.
func cold() ([]result, error) {
	compiler, err := clang.Find()
	if err != nil {
		return nil, err
	}
	exe, dir, err := program("saxpy")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	source, err := emittedSaxpy()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "saxpy.cpp")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		return nil, err
	}

	run := 0
	ours, theirs, err := sideBySide(
		func() (time.Duration, error) {
			run++
			total, _, err := start(exe, filepath.Join(dir, fmt.Sprint("cache", run)))
			return total, err
		},
		timed(func() error {
			args := append(compiler.Flags(), "-shared", "-o", filepath.Join(dir, "saxpy.so"), file)
			out, err := exec.Command(compiler.Path, args...).CombinedOutput()
			if err != nil {
				return fmt.Errorf("%v\n%s", err, out)
			}
			return nil
		}))
	if err != nil {
		return nil, err
	}
	return []result{{name: "cold start to first result", ours: ours, theirs: theirs, bound: bound{ratio: 1.3},
		note: "beside: " + filepath.Base(compiler.Path) + " alone on the emitted file"}}, nil
}

// warm times the way from a cached kernel to a launchable one, in fresh processes.
func warm() ([]result, error) {
	if _, err := clang.Find(); err != nil {
		return nil, err
	}
	exe, dir, err := program("saxpy")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	cacheDir := filepath.Join(dir, "cache")
	var readies, totals []time.Duration
	for i := range 2**repeats + 1 {
		total, ready, err := start(exe, cacheDir)
		if err != nil {
			return nil, err
		}
		if i > 0 { // the first one compiles
			totals, readies = append(totals, total), append(readies, ready)
		}
	}
	return []result{
		{name: "warm: hit to launchable module", ours: median(readies), bound: bound{time: time.Millisecond}},
		{name: "warm: whole process", ours: median(totals)},
	}, nil
}
