package build

import (
	"context"
	"errors"
	"fmt"

	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/abi"
)

// CPP is the toolchain of the CPU: C++, compiled to a shared library.
type CPP struct{ Compiler *clang.Compiler }

// Target implements [Toolchain].
func (CPP) Target() string { return "cpp" }

// Arch implements [Toolchain].
func (t CPP) Arch() string { return t.Compiler.Arch() }

// Identity implements [Toolchain].
func (t CPP) Identity() string {
	if compile.Lanes > 0 {
		return fmt.Sprintf("%s, %d lanes", t.Compiler.Identity(), compile.Lanes)
	}
	return t.Compiler.Identity()
}

// Portable implements [Portable]. With flags of the user's, a module may be what only they want.
func (t CPP) Portable() string {
	if !t.Compiler.Plain() {
		return ""
	}
	return portableCPP()
}

// Pipeline implements [Toolchain].
func (t CPP) Pipeline() compile.Pipeline {
	switch {
	case t.Compiler == nil: // the texts of modules that other machines have compiled for processors like this one
		return compile.CPUOf(clang.Archs()[0])
	case t.Compiler.Kind() != clang.Clang:
		return compile.PlainCPU
	}
	return compile.CPUOf(t.Compiler.Arch())
}

// Await waits until the kind of the compiler is known, on which the pipeline depends.
func (t CPP) Await(ctx context.Context) error {
	if t.Compiler == nil {
		return nil
	}
	return t.Compiler.AwaitKind(ctx)
}

// HostPipeline is the pipeline to the code that the C++ compiler of this machine is given, the one that QD_CXX names
// or the one that is found. Without a compiler it is that of clang.
func HostPipeline() compile.Pipeline {
	if c, err := clang.Find(); err == nil {
		return CPP{Compiler: c}.Pipeline()
	}
	return compile.CPUOf(clang.Arch())
}

// Layout implements [Toolchain].
func (CPP) Layout(k *ssa.Func) abi.Layout { return abi.CPU.Args(k) }

// Compile implements [Toolchain].
func (t CPP) Compile(ctx context.Context, name string, text *emit.Text) ([]byte, string, error) {
	so, err := t.Compiler.Shared(ctx, text.Source, "")
	var ce *clang.CompileError
	if errors.As(err, &ce) {
		var messages []Message
		for _, m := range ce.Messages {
			messages = append(messages, Message{Severity: m.Severity, Text: m.Text, Line: m.Line})
		}
		err = newError(name, t.Target(), text, err, messages)
	}
	return so, ".so", err
}

// Assembly compiles a source to assembly, and gives the extension of a file of it.
func (t CPP) Assembly(ctx context.Context, source string) (text, ext string, err error) {
	text, err = t.Compiler.Text(ctx, "asm", source)
	return text, ".s", err
}
