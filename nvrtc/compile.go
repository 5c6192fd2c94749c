package nvrtc

import (
	"strings"
)

// Options say what to compile for.
type Options struct {
	// Arch is the architecture: "sm_90" gives a cubin and PTX, "compute_90" PTX
	// alone, which a driver compiles for the GPU that it meets.
	Arch string

	// LineInfo records which source line each instruction comes from, for
	// profilers and debuggers.
	LineInfo bool

	// Usage makes the assembler write the resource usage of each function into the log, where
	// [Result.Usage] reads it.
	Usage bool
}

// Flags returns the options as flags, the same for every version of NVRTC. A cache key needs them
// in addition to Library.Identity.
func (o Options) Flags() []string {
	flags := []string{
		"--gpu-architecture=" + o.Arch,
		"--std=c++17",

		// Go's arithmetic. Only the first differs from what NVRTC does by itself,
		// and for all of them results are at stake.
		"--fmad=false", // x*y+z rounds twice
		"--ftz=false",
		"--prec-div=true",
		"--prec-sqrt=true",

		// A warning about emitted code is nothing that its user can act on.
		"--disable-warnings",
	}
	if o.LineInfo {
		flags = append(flags, "--generate-line-info")
	}
	if o.Usage {
		flags = append(flags, "--ptxas-options=-v")
	}
	return flags
}

// A Result is the result of a compile.
type Result struct {
	PTX   []byte // the text, without a terminating zero
	Cubin []byte // nil for a compute_ architecture
	Log   string // what NVRTC had to say all the same, mostly nothing
}

// Compile compiles CUDA source. name is the file name in messages. The error is a *CompileError or
// an *ArchError. A compile cannot be interrupted: it runs within this process.
func (l *Library) Compile(src, name string, o Options) (*Result, error) {
	if err := l.Open(); err != nil {
		return nil, l.cannotLoad(err)
	}
	if err := l.CheckArch(o.Arch); err != nil {
		return nil, err
	}
	flags := o.Flags()
	if l.major > 12 || l.major == 12 && l.minor >= 8 {
		// Leaves out declarations of textures and of the run-time library, which
		// otherwise take a third of the time of a small module.
		flags = append(flags, "--minimal")
	}
	fail := func(reason string, err error) error {
		return &CompileError{Library: l.String(), Options: flags, Reason: reason, Err: err}
	}
	for what, s := range map[string]string{"source": src, "name of the source": name} {
		if strings.ContainsRune(s, 0) {
			return nil, fail("the "+what+" has a zero byte in it", nil)
		}
	}

	var prog uintptr
	if err := l.api.check("nvrtcCreateProgram", l.api.createProgram(&prog, src, name, 0, nil, nil)); err != nil {
		return nil, fail("no program", err)
	}
	defer l.api.destroyProgram(&prog)
	result := l.api.compile(prog, flags)
	log, err := l.api.bytes("nvrtcGetProgramLog", prog, l.api.logSize, l.api.log)
	if err != nil {
		return nil, fail("no log", err)
	}
	r := &Result{Log: strings.ToValidUTF8(text(log), "\uFFFD")}
	if result != success {
		return nil, &CompileError{
			Library: l.String(), Options: flags, Log: r.Log,
			Messages: parseMessages(r.Log), Reason: l.api.errorString(result),
		}
	}
	ptx, err := l.api.bytes("nvrtcGetPTX", prog, l.api.ptxSize, l.api.ptx)
	if err != nil {
		return nil, fail("no PTX", err)
	}
	r.PTX = []byte(text(ptx))
	if kind, _, _ := parseArch(o.Arch); kind == "sm" && l.api.cubin != nil && l.api.cubinSize != nil {
		if r.Cubin, err = l.api.bytes("nvrtcGetCUBIN", prog, l.api.cubinSize, l.api.cubin); err != nil {
			return nil, fail("no cubin", err)
		}
	}
	if len(r.PTX) == 0 && len(r.Cubin) == 0 {
		return nil, fail("reported success and gave no code", nil)
	}
	return r, nil
}

// cannotLoad is the error of a library that was found and cannot be used.
func (l *Library) cannotLoad(err error) error {
	return &CompileError{Library: l.String(), Reason: "cannot be loaded; name another in QD_NVRTC", Err: err}
}

// text returns b without the zeros that end it.
func text(b []byte) string { return strings.TrimRight(string(b), "\x00") }
