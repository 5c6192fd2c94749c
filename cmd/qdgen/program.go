package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/qdgen/qd/cmd/qdgen/genfile"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/origin"
	"github.com/qdgen/qd/internal/runtime/dump"
)

// This file is about emit --program: the specializations that a run of a program makes.

// A programError is the exit status of a program that did not end well, which becomes the command's.
type programError struct {
	program string
	err     *exec.ExitError
}

func (e *programError) Error() string { return fmt.Sprintf("%s ended with %v", e.program, e.err) }

// status is the exit status: the program's, if it has ended on its own.
func (e *programError) status() int { return max(e.err.ExitCode(), exitError) }

// programEmitted is the code of a specialization that a program has made.
type programEmitted struct {
	emitted
	File    string       `json:"file"`
	Line    int          `json:"line"`
	Device  string       `json:"device"`
	Checked bool         `json:"checked,omitempty"`
	Fused   bool         `json:"fused,omitempty"`
	Values  []dump.Value `json:"values,omitempty"`

	made *dump.Made
	base string // of the name of a file
}

// checkProgram says which flags mean nothing with --program.
func (o *emitOptions) checkProgram(packages []string) error {
	switch {
	case len(packages) > 0:
		return usageErrorf("--program runs one program, but %q is given too; write the program's arguments behind --", packages[0])
	case len(o.types) > 0:
		return usageErrorf("--program prints the types that the program gives kernels; select an instance by its name, as in --kernel 'axpy[float32]'")
	case o.derivative() != "":
		return usageErrorf("--program prints what launches run; print a backward kernel or a tangent kernel without --program, with its values as --const")
	case o.resources:
		return usageErrorf("--resources tells costs by the lines of the package's source, which a run does not have; measure a kernel without --program, with the values that --program lists as --const")
	case o.lines:
		return usageErrorf("--program prints what the run has compiled, which has no #line directives; leave out --line-directives")
	}
	return nil
}

// baseTarget is the target whose text another one is made of.
var baseTarget = map[string]string{"ptx": "cuda", "sass": "cuda", "asm": "cpp", "ll": "cpp"}

// dumpTarget is the target that the program is asked for.
func (o *emitOptions) dumpTarget(t target) string {
	if o.after == "" {
		return cmp.Or(baseTarget[t.name], t.name)
	}
	for _, name := range []string{"cpp", "cuda"} {
		if n, all := len(t.way.Stages), wayTo(name).Stages; n <= len(all) && slices.Equal(t.way.Stages, all[:n]) {
			return dump.StageTarget(name, n, o.after)
		}
	}
	panic("BUG: the stages of no target")
}

// runProgram builds and runs a program, and prints the specializations that it makes. The program's output goes to
// stderr.
func (o *emitOptions) runProgram(stdout, stderr io.Writer, t target, args []string) error {
	dir, err := tempDir("qdgen-program-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil { // as the program will find its own name
		return err
	}
	begun := time.Now()
	binary, err := buildProgram(o.program, dir, stderr)
	if err != nil {
		return err
	}
	dumped := filepath.Join(dir, "dump")
	ended := o.start(binary, args, begun, dumped, t, stderr)
	if failed := (*programError)(nil); ended != nil && !errors.As(ended, &failed) {
		return ended
	}
	// What a program has made that then failed may be what it failed for.
	return errors.Join(o.printMade(stdout, t, dumped), ended)
}

// buildProgram builds the program of a package.
func buildProgram(pattern, dir string, stderr io.Writer) (binary string, err error) {
	binary = filepath.Join(dir, "program")
	err = goBuild(stderr, binary, "--", pattern)
	if err == nil {
		return binary, nil
	}
	if failed := (*exec.ExitError)(nil); !errors.As(err, &failed) {
		return "", driverError(err)
	}
	// The go command has said what is wrong. Of a package that is no program it says so in its own words.
	list := exec.Command("go", "list", "-f", "{{.Name}}", "--", pattern)
	names, err := list.Output()
	if found := strings.Fields(string(names)); err == nil && (len(found) != 1 || found[0] != "main") {
		return "", usageErrorf("--program %s: it is not one package main", pattern)
	}
	return "", errReported
}

// start runs the program, whose build has begun at a time, to its end.
func (o *emitOptions) start(binary string, args []string, begun time.Time, dumped string, t target, stderr io.Writer) error {
	cmd := exec.Command(binary, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stderr, stderr
	cmd.Env = append(os.Environ(), dump.Env+"="+dumped, dump.EnvTargets+"="+o.dumpTarget(t), origin.EnvBegun+"="+origin.Begun(begun, binary))
	if o.checks {
		cmd.Env = append(cmd.Env, "QD_CHECK=1")
	}
	if o.fused {
		cmd.Env = append(cmd.Env, "QD_FUSE=1")
	}
	// The program gets an interrupt too, and decides what it means.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	err := cmd.Run()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return &programError{o.program, failed}
	}
	return err
}

// printMade prints the specializations that have been written to a directory.
func (o *emitOptions) printMade(stdout io.Writer, t target, dumped string) error {
	list, err := readMade(filepath.Join(dumped, dump.ListName))
	if err != nil {
		return err
	}
	if list, err = o.selectMade(list); err != nil {
		return err
	}
	archs := []string{""}
	if t.arch {
		archs = o.archs
	}
	all := []programEmitted{}
	for _, m := range list {
		name := m.Code[o.dumpTarget(t)]
		source, err := os.ReadFile(filepath.Join(dumped, name))
		if err != nil {
			return err
		}
		for _, arch := range archs {
			text, err := textOf(t.name, m.Kernel, string(source), arch, false)
			if err != nil {
				return err
			}
			base := strings.TrimSuffix(name, filepath.Ext(name))
			if len(archs) > 1 {
				base += "." + arch
			}
			all = append(all, programEmitted{
				emitted: emitted{Package: m.Package, Kernel: m.Kernel, Target: t.name, Arch: arch, Text: text},
				File:    m.File, Line: m.Line, Device: m.Device, Checked: m.Checked, Fused: m.Fused, Values: m.Values, made: m, base: base,
			})
		}
	}
	return o.writeMade(stdout, t, all)
}

// comments are how comments begin, where that is not "//".
var comments = map[string]string{"ssa": ";", "ll": ";", "asm": "#"}

// writeMade prints what specializations have become, or writes it into files and lists them.
func (o *emitOptions) writeMade(stdout io.Writer, t target, all []programEmitted) error {
	if o.json {
		return printJSON(stdout, all)
	}
	if o.dir != "" {
		if err := os.MkdirAll(o.dir, 0o777); err != nil {
			return err
		}
	}
	for i, e := range all {
		if o.dir != "" {
			file := filepath.Join(o.dir, e.base+t.ext)
			if err := genfile.WriteWhole(file, []byte(e.Text)); err != nil {
				return err
			}
			fmt.Fprintf(stdout, "%s: %s\n", file, e.made)
			continue
		}
		if i > 0 {
			fmt.Fprintln(stdout)
		}
		if _, err := fmt.Fprintf(stdout, "%s %s\n%s", cmp.Or(comments[t.name], "//"), e.made, e.Text); err != nil {
			return err
		}
	}
	return nil
}

// readMade reads the list of specializations that a program has made: one for each text.
func readMade(file string) (list []*dump.Made, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("the program has made no specialization of a kernel")
	}
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for lines.Scan() {
		m := new(dump.Made)
		if err := json.Unmarshal(lines.Bytes(), m); err != nil {
			return nil, fmt.Errorf("%s: %v", file, err)
		}
		if s := m.String(); !seen[s] { // a program may have several processes
			seen[s] = true
			list = append(list, m)
		}
	}
	return list, lines.Err()
}

// selectMade are the specializations with the values that --const gives of the kernels that --kernel names; of all
// without.
func (o *emitOptions) selectMade(list []*dump.Made) ([]*dump.Made, error) {
	list, err := o.withKernels(list)
	if err != nil {
		return nil, err
	}
	consts, err := parseGiven("const", o.consts)
	if err != nil {
		return nil, err
	}
	for _, c := range consts {
		var have []string
		list = slices.DeleteFunc(slices.Clone(list), func(m *dump.Made) bool {
			for _, v := range m.Values {
				if v.Name != c.name {
					continue
				}
				if have = append(have, v.Value); v.Value == c.text {
					return false
				}
			}
			return true
		})
		switch {
		case len(have) == 0:
			return nil, fmt.Errorf("--const %s=%s: no specialization has a value %s", c.name, c.text, c.name)
		case len(list) == 0:
			slices.Sort(have)
			return nil, fmt.Errorf("--const %s=%s: no specialization has this value; those that the program has made have %s", c.name, c.text, strings.Join(slices.Compact(have), ", "))
		}
	}
	return list, nil
}

// withKernels are the specializations of the kernels that --kernel names, of all without.
func (o *emitOptions) withKernels(list []*dump.Made) ([]*dump.Made, error) {
	if len(o.kernels) == 0 {
		return list, nil
	}
	var names []string
	found := map[string]bool{}
	var chosen []*dump.Made
	for _, m := range list {
		name := gort.WithoutTypes(m.Kernel)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if slices.Contains(o.kernels, name) || slices.Contains(o.kernels, m.Kernel) {
			found[name], found[m.Kernel] = true, true
			chosen = append(chosen, m)
		}
	}
	for _, name := range o.kernels {
		if !found[name] {
			return nil, fmt.Errorf("the program has made no specialization of kernel %s; it has made some of %s", name, strings.Join(names, ", "))
		}
	}
	return chosen, nil
}

// textOf makes of a module's source the text that a target shows.
func textOf(target, name, source, arch string, lineInfo bool) (string, error) {
	switch target {
	case "ptx":
		return ptxOf(name, source, arch, lineInfo)
	case "sass":
		return sassOf(name, source, arch)
	case "asm", "ll":
		return compileText(context.Background(), target, source)
	}
	return source, nil
}
