package clang

import (
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sys/cpu"
)

// hostArch returns the name of the instruction set to compile for and the flags
// that ask for it: the widest level that this machine's processor implements.
//
// -march=native would say the same with less, but not by name: a cache directory
// that several machines share has to tell their modules apart, and a wrong guess
// there is an illegal instruction.
func hostArch() (name string, flags []string) {
	switch runtime.GOARCH {
	case "amd64":
		name = x86Level()
		return name, x86Flags(name, cpu.X86.HasAVX512VBMI2)
	case "arm64":
		if runtime.GOOS == "darwin" {
			return "apple-m1", []string{"-mcpu=apple-m1"}
		}
		name = arm64Level()
		return name, []string{"-march=" + name}
	}
	return runtime.GOARCH, nil
}

// Arch returns the name of the instruction set that is compiled for, as [Compiler.Arch] does, of a machine that may
// have no compiler.
func Arch() string {
	name, _ := hostArch()
	return askedFor(name, strings.Fields(os.Getenv("QD_CXX")))
}

// askedFor returns the instruction set that flags ask for, host if they ask for none. Compilers obey the last of them.
func askedFor(host string, flags []string) string {
	name := host
	for _, flag := range flags {
		for _, option := range []string{"-march=", "-mcpu="} {
			if asked, ok := strings.CutPrefix(flag, option); ok {
				name = asked
			}
		}
	}
	if name == "native" {
		return host
	}
	return name
}

// Archs returns the names of the instruction sets whose modules this machine's processor runs, the widest first: its
// own, which is compiled for unless QD_CXX asks for another, and those that are part of it.
func Archs() []string {
	name, _ := hostArch()
	return partsOf(name)
}

// partsOf returns an instruction set and those that are part of it.
func partsOf(name string) []string {
	x86 := []string{"x86-64-v4", "x86-64-v3", "x86-64-v2", "x86-64"}
	if i := slices.Index(x86, name); i >= 0 {
		return x86[i:]
	}
	list := []string{name}
	for i := strings.LastIndexByte(name, '+'); i > 0; i = strings.LastIndexByte(name, '+') { // armv8-a+lse+fp16
		name = name[:i]
		list = append(list, name)
	}
	return list
}

// x86Level returns the processor's microarchitecture level, as the x86-64 psABI
// defines them. A processor that lacks one feature of a level has the level below.
func x86Level() string {
	x := &cpu.X86
	v2 := x.HasCX16 && x.HasLAHF && x.HasPOPCNT && x.HasSSE3 && x.HasSSE41 && x.HasSSE42 && x.HasSSSE3
	v3 := v2 && x.HasAVX && x.HasAVX2 && x.HasBMI1 && x.HasBMI2 && x.HasF16C && x.HasFMA && x.HasLZCNT && x.HasMOVBE && x.HasOSXSAVE
	v4 := v3 && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512CD && x.HasAVX512DQ && x.HasAVX512VL
	switch {
	case v4:
		return "x86-64-v4"
	case v3:
		return "x86-64-v3"
	case v2:
		return "x86-64-v2"
	}
	return "x86-64"
}

// x86Flags returns the flags that ask for a level. Compilers do not use vectors of 512 bits for
// it unless told to, because the first processors that had them lowered their clock for them.
// Those since Ice Lake and Zen 4, which have VBMI2 too, do not: loops with much arithmetic are up to
// a quarter faster, others the same.
func x86Flags(level string, vbmi2 bool) []string {
	flags := []string{"-march=" + level}
	if level == "x86-64-v4" && vbmi2 {
		flags = append(flags, "-mprefer-vector-width=512")
	}
	return flags
}

// arm64Level returns the base instruction set with the extensions that matter to
// kernels: atomic instructions and arithmetic on float16.
func arm64Level() string {
	var b strings.Builder
	b.WriteString("armv8-a")
	if cpu.ARM64.HasATOMICS {
		b.WriteString("+lse")
	}
	if cpu.ARM64.HasFPHP && cpu.ARM64.HasASIMDHP {
		b.WriteString("+fp16")
	}
	return b.String()
}
