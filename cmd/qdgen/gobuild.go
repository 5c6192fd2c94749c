package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
)

// copyProgram is the first argument of a qdgen that the go command starts in the place of a program that it has built.
// The second one is the program, and the third where it is wanted.
const copyProgram = "copy-program-to"

// isCopy reports whether the go command has started qdgen so.
func isCopy(args []string) bool { return len(args) == 3 && args[0] == copyProgram }

// runCopy does what isCopy asks for.
func runCopy(stderr io.Writer, args []string) int {
	if err := linkOrCopy(args[1], args[2]); err != nil {
		io.WriteString(stderr, "qdgen: "+err.Error()+"\n")
		return exitError
	}
	return exitOK
}

func linkOrCopy(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// goBuild has the go command build a program, as go build -o does. But it keeps the program in its cache and leaves out
// debugging information and the revision, as go run does: to link a program takes longer than all else, and qdgen is
// often asked for the same. The arguments are flags, and what is to be built.
func goBuild(output io.Writer, program string, args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	quote := "'"
	if strings.Contains(self, quote) {
		quote = `"`
	}
	args = append([]string{"run", "-exec=" + quote + self + quote + " " + copyProgram}, args...)
	cmd := exec.Command("go", append(args, program)...)
	cmd.Stdout, cmd.Stderr = output, output
	return cmd.Run()
}
