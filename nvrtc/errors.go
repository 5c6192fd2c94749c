package nvrtc

import (
	"fmt"
	"runtime"
	"strings"
)

// A MissingError says that NVRTC was not found.
type MissingError struct {
	Named string   // the value of QD_NVRTC, "" when it is not set
	Max   int      // the newest major version that would have done, 0 for any
	Tried []string // the places that were looked at, in order
	Found []Candidate
}

// Error says what was looked for and how to get it.
func (e *MissingError) Error() string {
	if e.Named != "" {
		msg := fmt.Sprintf("QD_NVRTC names %s, where there is no usable NVRTC library (libnvrtc.so)", e.Named)
		for _, c := range e.Found {
			msg += fmt.Sprintf("; %s: %v", c.Path, c.Err)
		}
		return msg + "; correct QD_NVRTC, or unset it so that qdgen searches for one"
	}
	var b strings.Builder
	b.WriteString("NVRTC, the run-time compiler of CUDA, was not found")
	for _, c := range e.Found {
		switch {
		case c.Err != nil:
			fmt.Fprintf(&b, "; %s cannot be used: %v", c.Path, c.Err)
		case e.Max != 0 && c.Major > e.Max:
			fmt.Fprintf(&b, "; %s is from CUDA %d, too new for this driver, which supports CUDA %d", c.Path, c.Major, e.Max)
		}
	}
	fmt.Fprintf(&b, "; %s, or name the library in QD_NVRTC", Advice(e.Max))
	return b.String()
}

// Advice says how to get an NVRTC of at most the CUDA version max, 0 for any.
func Advice(max int) string {
	if runtime.GOOS != "linux" {
		return "qdgen uses it on Linux only"
	}
	pkg := "nvidia-cuda-nvrtc"
	if max == 11 || max == 12 {
		pkg = fmt.Sprintf("nvidia-cuda-nvrtc-cu%d", max)
	}
	return fmt.Sprintf("install it with `python3 -m pip install %s`, with the CUDA toolkit, or with a distribution's package (Debian, Ubuntu: libnvrtc12; Fedora: cuda-nvrtc)", pkg)
}

// An ArchError says that the library does not make code for an architecture.
type ArchError struct {
	Arch      string // as it was asked for
	Supported []int  // 10 times the major version plus the minor one, ascending
	Library   string // the library's path and version
}

// Error lists what is supported.
func (e *ArchError) Error() string {
	list := make([]string, len(e.Supported))
	for i, a := range e.Supported {
		list[i] = fmt.Sprintf("sm_%d", a)
	}
	what := fmt.Sprintf("no architecture %q", e.Arch)
	if _, _, ok := parseArch(e.Arch); !ok {
		what = fmt.Sprintf("%q is not of the form sm_90 or compute_90", e.Arch)
	}
	return fmt.Sprintf("%s: %s; the supported ones are %s (and compute_... for PTX only)", e.Library, what, strings.Join(list, ", "))
}

// A CompileError says that a source was not compiled.
type CompileError struct {
	Library  string    // the library's path and version
	Options  []string  // what it was told
	Log      string    // everything that it said
	Messages []Message // the errors and warnings in Log, in order
	Reason   string    // what NVRTC calls the failure: "NVRTC_ERROR_COMPILATION"
	Err      error     // the cause where there is one, of the library that could not be loaded
}

// Error returns the first error in the source, or else the reason.
func (e *CompileError) Error() string {
	var first *Message
	n := 0
	for i := range e.Messages {
		if e.Messages[i].isError() {
			if n == 0 {
				first = &e.Messages[i]
			}
			n++
		}
	}
	switch {
	case e.Err != nil:
		return fmt.Sprintf("%s: %s: %v", e.Library, e.Reason, e.Err)
	case n == 0 && strings.TrimSpace(e.Log) != "":
		return fmt.Sprintf("%s: %s: %s", e.Library, e.Reason, strings.TrimSpace(e.Log))
	case n == 0:
		return fmt.Sprintf("%s: %s", e.Library, e.Reason)
	case n == 1:
		return fmt.Sprintf("%s: %s", e.Library, first)
	case n == 2:
		return fmt.Sprintf("%s: %s (and 1 more error)", e.Library, first)
	}
	return fmt.Sprintf("%s: %s (and %d more errors)", e.Library, first, n-1)
}

// Unwrap returns the cause.
func (e *CompileError) Unwrap() error { return e.Err }
