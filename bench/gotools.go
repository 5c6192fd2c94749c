package main

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// timesFile is the environment variable by which this program knows that the go command runs it in front of a tool
// (-toolexec). It names the file where the tool's processor time goes.
const timesFile = "QD_BENCH_TOOL_TIMES"

// tools runs the go command and gives the processor time of its compiler and assembler: for packages of qdgen, and for
// others.
func (b *goBuild) tools(env []string, args ...string) (ours, others time.Duration, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, 0, err
	}
	name := filepath.Join(b.dir, "times")
	args = slices.Insert(slices.Clone(args), 1, "-toolexec="+self)
	if err := cmp.Or(os.WriteFile(name, nil, 0o600), b.run(append(env, timesFile+"="+name), args...)); err != nil {
		return 0, 0, err
	}
	times, err := os.Open(name)
	if err != nil {
		return 0, 0, err
	}
	defer times.Close()
	for lines := bufio.NewScanner(times); lines.Scan(); {
		var path string
		var spent time.Duration
		if _, err := fmt.Sscan(lines.Text(), &path, (*int64)(&spent)); err != nil {
			return 0, 0, err
		}
		if path == "main" || strings.HasPrefix(path, module) {
			ours += spent
		} else {
			others += spent
		}
	}
	if ours == 0 {
		return 0, 0, fmt.Errorf("go %s: no package of %s was compiled", strings.Join(args, " "), module)
	}
	return ours, others, nil
}

// timedTool runs a tool of Go and notes its processor time, if the tool works on a package. The result is the exit
// status.
func timedTool(times string, args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		if cmd.ProcessState == nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return 1
	}
	p := slices.Index(args, "-p")
	if p < 0 || p+1 == len(args) {
		return 0
	}
	line := fmt.Sprintf("%s %d\n", args[p+1], cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	f, err := os.OpenFile(times, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(line)
		err = cmp.Or(err, f.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
