package clang

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"unicode"
)

// A MissingError says that no C++ compiler was found.
type MissingError struct {
	Named string   // the value of QD_CXX, "" when it is not set
	Tried []string // the names and places that were looked at, in order
}

// Error says what was looked for and how to get a compiler.
func (e *MissingError) Error() string {
	if e.Named != "" {
		return fmt.Sprintf("QD_CXX names the C++ compiler %q, which is not an executable file and not in PATH; correct QD_CXX, or unset it so that qdgen searches for a compiler", e.Named)
	}
	return fmt.Sprintf("no C++17 compiler found (looked for %s); %s, or name one in QD_CXX; the device \"go\" needs none",
		strings.Join(e.Tried, ", "), Advice())
}

// Advice says how to install a compiler on this operating system.
func Advice() string {
	if runtime.GOOS == "darwin" {
		return "install clang with `xcode-select --install`"
	}
	return "install clang with `sudo apt-get install clang` (Debian, Ubuntu), `sudo dnf install clang` (Fedora) or `sudo pacman -S clang` (Arch)"
}

// A CompileError says that a compile failed: the source has errors, the compiler itself failed, or
// it was stopped.
type CompileError struct {
	Compiler string    // the compiler's path
	Command  string    // the command line that failed, for a shell
	Log      string    // everything that it printed
	Messages []Message // the errors and warnings in Log, in order
	Reason   string    // what happened where it is not an error in the source: "killed by signal 11", "wrote no output"
	Err      error     // the cause where there is one: of the context, of the file system
	Hint     string    // what to do where the compiler itself is at fault, "" if nothing is known
}

// Error returns the reason, or the first error in the source.
func (e *CompileError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", e.Compiler)
	if e.Reason != "" {
		b.WriteString(e.Reason)
	}
	errors := 0
	for _, m := range e.Messages {
		if !m.isError() {
			continue
		}
		if errors == 0 {
			if e.Reason != "" {
				b.WriteString(": ")
			}
			// What a linker says before the driver does: it is out of space, or was killed.
			if first := firstLine(e.Log); m.File == "" && !strings.Contains(first, m.Text) {
				b.WriteString(printable(first) + ": ")
			}
			b.WriteString(m.String())
		}
		errors++
	}
	switch {
	case errors == 2:
		b.WriteString(" (and 1 more error)")
	case errors > 2:
		fmt.Fprintf(&b, " (and %d more errors)", errors-1)
	case errors == 0 && e.Err != nil:
		fmt.Fprintf(&b, ": %v", e.Err)
	case errors == 0 && strings.TrimSpace(e.Log) != "":
		fmt.Fprintf(&b, ": %s", printable(firstLine(e.Log)))
	}
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// noTool matches what clang and gcc say where a program is missing that they run: the linker, the assembler.
var noTool = regexp.MustCompile(`unable to execute command: Executable "([^"]+)" doesn't exist|cannot find '([^']+)'|cannot execute [‘']([^'’]+)['’]`)

// hint says what to do about a compiler that failed, "" if nothing is known.
func (e *CompileError) hint() string {
	if m := noTool.FindStringSubmatch(e.Log); m != nil {
		tool, from := m[1]+m[2]+m[3], "binutils"
		if strings.HasPrefix(tool, "cc1") {
			from = "g++"
		}
		return fmt.Sprintf("the compiler finds no %s: correct PATH, or install it (Debian, Ubuntu: sudo apt-get install %s)", tool, from)
	}
	if os.Getenv("QD_CXX") != "" && len(e.Messages) == 0 && e.Err == nil {
		return "QD_CXX names this program: make sure that it is a C++17 compiler, or unset it so that qdgen searches for one"
	}
	return ""
}

// Unwrap returns the cause, so that errors.Is finds context.Canceled and
// syscall.ENOSPC.
func (e *CompileError) Unwrap() error { return e.Err }

// printable replaces what would be a command to a terminal: a compiler that has lost
// its way prints anything.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\t' {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// firstLine returns the first line of s that is not blank.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
