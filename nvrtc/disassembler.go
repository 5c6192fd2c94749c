package nvrtc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/qdgen/qd/internal/report"
	"github.com/qdgen/qd/internal/tempdir"
)

// disassembler is the name of the program. (cuobjdump, which prints machine code too,
// starts it, and has no line information.)
const disassembler = "nvdisasm"

// A Disassembler is a program nvdisasm that was found.
type Disassembler struct {
	Path  string
	Place string // where it was found: "QD_NVDISASM", "PATH", "CUDA_HOME"
}

// A MissingDisassemblerError says that nvdisasm was not found.
type MissingDisassemblerError struct {
	Named string   // the value of QD_NVDISASM, "" when it is not set
	Tried []string // the directories that were looked at, in order
}

// Error says how to get it.
func (e *MissingDisassemblerError) Error() string {
	if e.Named != "" {
		return fmt.Sprintf("QD_NVDISASM names %s, which is not a program; correct it, or unset it so that qdgen searches for one", e.Named)
	}
	return "nvdisasm, the disassembler of CUDA, was not found; install it with `python3 -m pip install nvidia-cuda-nvdisasm`, with the CUDA toolkit, with `conda install -c nvidia cuda-nvdisasm` or with a distribution's package (Debian, Ubuntu: nvidia-cuda-toolkit), or name the program in QD_NVDISASM"
}

// FindDisassembler finds nvdisasm: the one that QD_NVDISASM names (a path, or a name in
// PATH), else the one in PATH, else in QD_TOOLS, in CUDA toolkits and in Python packages,
// in this order. It starts no process. The error is a *MissingDisassemblerError.
func FindDisassembler() (*Disassembler, error) {
	if name := strings.TrimSpace(os.Getenv("QD_NVDISASM")); name != "" {
		path, err := exec.LookPath(name)
		if err != nil {
			return nil, &MissingDisassemblerError{Named: name}
		}
		return &Disassembler{Path: path, Place: "QD_NVDISASM"}, nil
	}
	if path, err := exec.LookPath(disassembler); err == nil {
		return &Disassembler{Path: path, Place: "PATH"}, nil
	}
	e := new(MissingDisassemblerError)
	for _, p := range programs.places() {
		for _, pattern := range p.dirs {
			// Glob fails for a bad pattern only, which is no directory of interest.
			dirs, _ := filepath.Glob(pattern)
			for _, dir := range dirs {
				if path, err := exec.LookPath(filepath.Join(dir, disassembler)); err == nil {
					return &Disassembler{Path: path, Place: p.what}, nil
				}
			}
		}
		e.Tried = append(e.Tried, p.dirs...)
	}
	return nil, e
}

// Version is the program's own version string: "release 12.8, V12.8.55".
func (d *Disassembler) Version(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, d.Path, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", d.Path, err)
	}
	for line := range strings.Lines(string(out)) {
		if _, version, ok := strings.Cut(line, "release "); ok {
			return "release " + strings.TrimSpace(version), nil
		}
	}
	return "", fmt.Errorf("%s --version prints no version: it is not nvdisasm", d.Path)
}

// Disassemble prints the code of a cubin, with the lines of a compile with
// [Options.LineInfo].
func (d *Disassembler) Disassemble(ctx context.Context, cubin []byte) (string, error) {
	dir, err := tempdir.Make("", tempdir.Disassembly)
	if err != nil {
		return "", fmt.Errorf("there is no directory for temporary files: %w; %s", err, report.SetTemp())
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "kernel.cubin")
	if err := os.WriteFile(file, cubin, 0o600); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, d.Path, "--print-code", "--print-line-info-inline", file)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if err == nil && stdout.Len() == 0 {
		err = errors.New("it prints nothing")
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w%s; set QD_NVDISASM to an nvdisasm that is as new as NVRTC", d.Path, err, said(stderr.String()))
	}
	return stdout.String(), nil
}

// said is the output of a program, for an error.
func said(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return ": " + strings.Join(strings.Fields(text), " ")
}
