package clang

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/qdgen/qd/internal/report"
	"github.com/qdgen/qd/internal/tempdir"
)

// SourceName is the name of the source file in messages, unless a #line directive gives another
// name.
const SourceName = "kernel.cpp"

// The other files of a build. All are named relative to its directory, so that the
// same source gives the same bytes wherever it is built.
const (
	objectName = "kernel.o"
	moduleName = "kernel.so"
)

// Shared compiles C++ source to a shared library and returns its bytes. It works
// in a directory of its own that it makes in dir ("" is the system's place for
// temporary files) and removes. The error is a *CompileError.
func (c *Compiler) Shared(ctx context.Context, src, dir string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	tmp, err := c.prepare(dir, src)
	if err != nil {
		return nil, err
	}
	defer removeAll(tmp)
	args := []string{"-c", SourceName, "-o", objectName}
	if err := c.compile(ctx, tmp, args...); err != nil {
		return nil, err
	}
	// The linker would complain about a missing object in words that mislead.
	if info, err := os.Stat(filepath.Join(tmp, objectName)); err != nil || info.Size() == 0 {
		return nil, c.noOutput(c.command(append(c.flags(), args...)...), err)
	}
	command, err := c.link(ctx, tmp)
	if err != nil {
		return nil, err
	}
	so, err := c.output(tmp, moduleName, command)
	if err != nil {
		return nil, err
	}
	if !isModule(so) {
		return nil, &CompileError{Compiler: c.Path, Command: quote(command), Reason: "wrote a file that is not a shared library"}
	}
	return so, nil
}

// Annotated compiles C++ source to the assembly of the code that Shared produces, with the tables that tell the line of
// the source which each instruction comes from (.loc), and the lines of the calls that are inlined. Remarks are what
// clang says about vectors and unrolled loops, and about calls that it has not inlined, each with its flag at the end,
// as in [-Rpass-missed=inline]. The error is a *CompileError.
func (c *Compiler) Annotated(ctx context.Context, src string) (asm string, remarks []Message, err error) {
	const name = "kernel.s"
	args := []string{"-fno-asynchronous-unwind-tables"}
	if c.Kind() != Clang {
		args = append(args, "-g1")
	} else {
		args = append(args, "-gdwarf-4", "-g1", "-gno-column-info", "-Rpass=^(loop-vectorize|slp-vectorizer|loop-unroll)$",
			"-Rpass-missed=^(loop-vectorize|loop-unroll|inline)$", "-Rpass-analysis=^loop-vectorize$")
	}
	args = append(args, "-S", SourceName, "-o", name)
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	tmp, err := c.prepare("", src)
	if err != nil {
		return "", nil, err
	}
	defer removeAll(tmp)
	log, err := c.compiled(ctx, tmp, args...)
	if err != nil {
		return "", nil, err
	}
	for _, m := range parseMessages(log) {
		if m.Severity == remark {
			remarks = append(remarks, m)
		}
	}
	out, err := c.output(tmp, name, c.command(append(c.flags(), args...)...))
	return string(out), remarks, err
}

// Text compiles C++ source to readable text. For kind "asm" it is the assembly of the code that
// Shared produces. For "ll" it is LLVM IR, which only clang has. The error is a *CompileError.
func (c *Compiler) Text(ctx context.Context, kind, src string) (string, error) {
	args := []string{"-S", SourceName, "-o"}
	var name string
	switch kind {
	case "asm":
		name = "kernel.s"
	case "ll":
		if c.Kind() == GCC {
			return "", &CompileError{Compiler: c.Path, Reason: "gcc cannot show LLVM IR; set QD_CXX to a clang"}
		}
		name = "kernel.ll"
		args = append([]string{"-emit-llvm"}, args...)
	default:
		panic("BUG: clang: no text of kind " + kind)
	}
	// The tables for unwinding are half of such a text and say nothing about it.
	args = append([]string{"-fno-asynchronous-unwind-tables"}, args...)
	args = append(args, name)

	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	tmp, err := c.prepare("", src)
	if err != nil {
		return "", err
	}
	defer removeAll(tmp)
	if err := c.compile(ctx, tmp, args...); err != nil {
		return "", err
	}
	out, err := c.output(tmp, name, c.command(append(c.flags(), args...)...))
	return string(out), err
}

// prepare makes a build's directory in dir, with the source in it.
func (c *Compiler) prepare(dir, src string) (string, error) {
	tmp, err := tempdir.Make(dir, tempdir.Build)
	if err != nil {
		ce := &CompileError{Compiler: c.Path, Reason: "has no directory to work in", Err: err}
		if dir == "" {
			ce.Hint = report.SetTemp()
		}
		return "", ce
	}
	if err := os.WriteFile(filepath.Join(tmp, SourceName), []byte(src), 0o600); err != nil {
		removeAll(tmp)
		return "", &CompileError{Compiler: c.Path, Reason: "cannot get its source", Err: err}
	}
	return tmp, nil
}

// compile runs the compiler with its flags and the arguments, leaving out what it
// turns out not to know.
func (c *Compiler) compile(ctx context.Context, tmp string, args ...string) error {
	_, err := c.compiled(ctx, tmp, args...)
	return err
}

// compiled is compile, and what the compiler prints.
func (c *Compiler) compiled(ctx context.Context, tmp string, args ...string) (log string, err error) {
	for {
		log, err := c.run(ctx, tmp, c.command(append(c.flags(), args...)...))
		if err == nil || !c.refuses(log) {
			return log, err
		}
	}
}

// link makes the module of the object file and returns the command that did.
func (c *Compiler) link(ctx context.Context, tmp string) ([]string, error) {
	if runtime.GOOS == "linux" {
		if ld, err := lookPath("ld"); err == nil {
			command := append([]string{ld}, linkerArgs...)
			if needsLibraries(filepath.Join(tmp, objectName)) {
				// By file name: the plain -lm would ask for the C library's
				// development package.
				command = append(command, "-l:libm.so.6", "-l:libc.so.6")
				if runtime.GOARCH == "amd64" {
					// What finds a thread's own variables, such as a checked build's fault,
					// is the dynamic linker's.
					command = append(command, "-l:ld-linux-x86-64.so.2")
				}
			}
			if _, err := c.run(ctx, tmp, command); err == nil || ctx.Err() != nil {
				return command, err
			}
			// The libraries lie elsewhere, or the object needs the compiler's own
			// (128-bit division, float16): the driver knows all of them.
		}
	}
	command := c.command(append(slices.Clone(c.extra), driverArgs()...)...)
	_, err := c.run(ctx, tmp, command)
	return command, err
}

// linkerArgs are the linker's: a module's names are its own (-Bsymbolic), even when
// the process has others like them, and what it needs is known now, not when it is
// called.
var linkerArgs = []string{"-shared", "-Bsymbolic", "--as-needed", "--no-undefined", "-z", "noexecstack", "-o", moduleName, objectName}

// driverArgs are what has the compiler's driver link the same, without the C++
// library that it adds by itself.
func driverArgs() []string {
	if runtime.GOOS == "darwin" {
		return []string{"-shared", "-o", moduleName, objectName} // the system's one library has all of it
	}
	return []string{"-shared", "-nostdlib", "-Wl,-Bsymbolic,--as-needed,--no-undefined,-z,noexecstack", "-o", moduleName, objectName, "-lm", "-lc", "-lgcc"}
}

// needsLibraries reports whether an object file uses anything that it does not
// define. Most kernels do not, and opening the C library costs the linker more than
// all else that it does.
func needsLibraries(object string) bool {
	f, err := elf.Open(object)
	if err != nil {
		return true
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return !errors.Is(err, elf.ErrNoSymbols)
	}
	return slices.ContainsFunc(symbols, func(s elf.Symbol) bool {
		// The linker itself defines the table of addresses.
		return s.Section == elf.SHN_UNDEF && s.Name != "" && s.Name != "_GLOBAL_OFFSET_TABLE_"
	})
}

// output reads what a command should have written.
func (c *Compiler) output(tmp, name string, command []string) ([]byte, error) {
	b, err := os.ReadFile(filepath.Join(tmp, name))
	if err != nil || len(b) == 0 {
		return nil, c.noOutput(command, err)
	}
	return b, nil
}

// noOutput is the error of a command that left no file, or (err is nil) an empty one.
func (c *Compiler) noOutput(command []string, err error) error {
	ce := &CompileError{Compiler: c.Path, Command: quote(command), Reason: "reported success and wrote no output"}
	ce.Hint = ce.hint()
	switch {
	case err == nil:
		ce.Err = errors.New("the file is empty")
	case !errors.Is(err, fs.ErrNotExist): // which would only name a file that nobody knows
		ce.Err = err
	}
	return ce
}

// isModule reports whether b begins as the system's shared libraries do.
func isModule(b []byte) bool {
	if runtime.GOOS == "darwin" {
		return bytes.HasPrefix(b, []byte{0xcf, 0xfa, 0xed, 0xfe})
	}
	return strings.HasPrefix(string(b[:min(4, len(b))]), elf.ELFMAG)
}
