package build

import (
	"context"
	"errors"
	"strings"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/nvrtc"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/target/abi"
)

// CUDA is the toolchain of NVIDIA's GPUs: CUDA C++, compiled by NVRTC to a cubin,
// or to PTX for an architecture that NVRTC knows in that form only.
type CUDA struct {
	Library *nvrtc.Library
	Options nvrtc.Options
}

// Target implements [Toolchain].
func (CUDA) Target() string { return "cuda" }

// Arch implements [Toolchain].
func (t CUDA) Arch() string { return t.Options.Arch }

// Identity implements [Toolchain].
func (t CUDA) Identity() string {
	return t.Library.Identity() + " " + strings.Join(t.Options.Flags(), " ")
}

// Portable implements [Portable].
func (t CUDA) Portable() string {
	version, _ := t.Library.Version()
	return portableCUDA(version, t.Options.Arch)
}

// Pipeline implements [Toolchain].
func (CUDA) Pipeline() compile.Pipeline { return compile.CUDA }

// Layout implements [Toolchain].
func (CUDA) Layout(k *ssa.Func) abi.Layout { return abi.GPU.Args(k) }

// Compile implements [Toolchain]. NVRTC cannot be interrupted.
func (t CUDA) Compile(_ context.Context, name string, text *emit.Text) ([]byte, string, error) {
	r, err := t.Library.Compile(text.Source, name+".cu", t.Options)
	var ce *nvrtc.CompileError
	switch {
	case errors.As(err, &ce):
		var messages []Message
		for _, m := range ce.Messages {
			messages = append(messages, Message{Severity: m.Severity, Text: m.Text, Line: m.Line})
		}
		return nil, "", newError(name, t.Target(), text, err, messages)
	case err != nil:
		return nil, "", err
	case r.Cubin != nil:
		return r.Cubin, ".cubin", nil
	}
	return r.PTX, ".ptx", nil
}

// Assembly compiles a source to PTX, and gives the extension of a file of it. NVRTC cannot be interrupted.
func (t CUDA) Assembly(_ context.Context, source string) (text, ext string, err error) {
	r, err := t.Library.Compile(source, "kernel.cu", t.Options)
	if err != nil {
		return "", "", err
	}
	return string(r.PTX), ".ptx", nil
}
