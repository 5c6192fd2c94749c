package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/clang"
	"github.com/qdgen/qd/internal/runtime/cuda"
	"github.com/qdgen/qd/nvrtc"
)

// A finding is one thing that devices need, as it is on this machine.
type finding struct {
	Name  string   `json:"name"`
	OK    bool     `json:"ok"`
	Text  string   `json:"text"`            // what was found, or what is missing and how to get it
	Found []string `json:"found,omitempty"` // further lines
}

// newDoctorCommand makes the command doctor.
func newDoctorCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Show which tools of each device are installed, and how to get the others",
		Long: `Doctor looks for the tools that the devices need and tries them. It says what is
missing and how to get it. Device cpu needs a C++ compiler. Devices cuda:N need the
NVIDIA driver and NVRTC. Device go needs nothing. No device needs nvdisasm; it shows
the GPU's machine code for 'qdgen emit --target sass' and 'qdgen explain'.

A container needs the same for a program: clang for device cpu, NVRTC and the option
--gpus all for cuda:N, and glibc in any case, because programs open libraries. A
directory that stays, named by QD_CACHE, keeps what is compiled. A program that was
built with CGO_ENABLED=0 and -tags qdgo opens none: it has device go alone, and runs
in an empty container.

The exit status is 1 if the default device cannot be used, for example because
QD_DEVICE names a device that does not exist.

This command and every program that uses qd read these environment variables:

  QD_DEVICE       the default device: go, cpu, cuda or cuda:N
  QD_CHECK        1 makes every build a checked build, which reports faults
  QD_FUSE         1 lets x*y + z be one operation in every build
  QD_TUNE         for qd.Tune: off measures nothing, force measures all anew
  QD_LOG          info prints each module that is loaded to standard error
  QD_DUMP         a directory for the source, assembly or PTX, and machine code of
                  each module that is loaded, from the cache too
  QD_DUMP_TARGETS with QD_DUMP: also the code of each specialization for cpp, cuda
                  or ssa, and a list of the specializations, on each device
  QD_STATIC_TIMEOUT  the time limit for the Go code of a qd.Static; default 10s
  QD_CXX          the C++ compiler: a name or a path, optionally with arguments
  QD_LANES        how many threads a CPU runs at once in vectors: 1, 2, 4 ... 256;
                  by default this depends on the kernel
  QD_NVRTC        the NVRTC library, or its directory
  QD_CUDA_DRIVER  the library of the NVIDIA driver
  QD_NVDISASM     the disassembler nvdisasm: a name or a path
  QD_TOOLS        a directory with NVRTC in nvrtc/, where make setup installs it,
                  and optionally a Python package with nvdisasm in nvdisasm/
  QD_CACHE        the directory of compiled modules, or off to keep none
  QD_CACHE_SIZE   the size limit of that directory, such as 500M; 0 sets no limit
  QD_CACHE_REMOTE the address of a cache that machines share: https://HOST/PATH
  QD_CACHE_REMOTE_MODE  read uploads nothing to it
  QD_CACHE_REMOTE_WAIT  how long a process waits for it in vain; default 200ms
  QD_CACHE_TOKEN  a bearer token for it
  QD_CACHE_KEY    ed25519 keys in PEM, or a file with them, one of which has to have
                  signed what is loaded from it`,
		Example: "  qdgen doctor\n  QD_CXX=g++ qdgen doctor",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return doctor(cmd.OutOrStdout(), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array of objects with name, ok, text and found")
	return cmd
}

func doctor(stdout io.Writer, asJSON bool) error {
	findings := []finding{
		{Name: "qdgen", OK: true, Text: version().String()},
		{Name: "device go", OK: true, Text: fmt.Sprintf("ready, over %d goroutines", runtime.GOMAXPROCS(0))},
		examineCompiler(),
		examineDriver(),
		examineNVRTC(),
		examineDisassembler(),
		examineCache(),
	}
	if os.Getenv("QD_CACHE_REMOTE") != "" {
		findings = append(findings, examineRemote())
	}
	def := examineDefault()
	findings = append(findings, def)
	if asJSON {
		if err := printJSON(stdout, findings); err != nil {
			return err
		}
	} else {
		var text strings.Builder
		for _, f := range findings {
			mark := "ok"
			if !f.OK {
				mark = "--"
			}
			fmt.Fprintf(&text, "%s  %-15s %s\n", mark, f.Name, f.Text)
			for _, line := range f.Found {
				fmt.Fprintf(&text, "%21s%s\n", "", line)
			}
		}
		if _, err := io.WriteString(stdout, text.String()); err != nil {
			return err
		}
	}
	if !def.OK {
		return errReported
	}
	return nil
}

// missing is the finding of something that is not there or does not work.
func missing(name string, err error) finding { return finding{Name: name, Text: err.Error()} }

// examineCompiler finds the C++ compiler and has it compile something.
func examineCompiler() finding {
	const name = "C++ compiler"
	c, err := clang.Find()
	if err != nil {
		return missing(name, err)
	}
	if _, err := c.Shared(context.Background(), `extern "C" int probe(int x) { return x + 1; }`, ""); err != nil {
		return missing(name, err)
	}
	text := c.Path
	if v, err := c.Version(); err == nil {
		text += ", " + v
	}
	return finding{Name: name, OK: true, Text: fmt.Sprintf("%s, for %s", text, c.Arch())}
}

// examineDriver finds the NVIDIA driver and its GPUs.
func examineDriver() finding {
	const name = "NVIDIA driver"
	d, err := cuda.Open()
	if err != nil {
		return missing(name, err)
	}
	n, err := d.Count()
	if err != nil {
		return missing(name, err)
	}
	f := finding{Name: name, OK: true, Text: fmt.Sprintf("%s, for CUDA %v", d.Path(), d.Version())}
	for i := range n {
		line := fmt.Sprintf("cuda:%d ", i)
		if info, err := d.Info(i); err != nil {
			line += err.Error()
		} else {
			line += info.String()
		}
		f.Found = append(f.Found, line)
	}
	return f
}

// examineNVRTC finds NVRTC and has it compile something.
func examineNVRTC() finding {
	const name = "NVRTC"
	lib, err := nvrtc.Find()
	if err != nil {
		return missing(name, err)
	}
	arch := "sm_90"
	if archs := lib.Archs(); len(archs) > 0 {
		arch = fmt.Sprintf("sm_%d", archs[0])
	}
	if _, err := lib.Compile(`extern "C" __global__ void probe(int *x) { *x = 1; }`, "probe.cu", nvrtc.Options{Arch: arch}); err != nil {
		return missing(name, err)
	}
	f := finding{Name: name, OK: true, Text: lib.String()}
	if archs := lib.Archs(); len(archs) > 0 {
		f.Text += fmt.Sprintf(", for sm_%d to sm_%d", archs[0], archs[len(archs)-1])
	}
	for _, c := range nvrtc.All() {
		line := fmt.Sprintf("%s (%s)", c.Path, c.Place)
		if c.Err != nil {
			line += ": " + c.Err.Error()
		}
		f.Found = append(f.Found, line)
	}
	return f
}

// examineDisassembler finds nvdisasm and asks for its version.
func examineDisassembler() finding {
	const name = "nvdisasm"
	d, err := nvrtc.FindDisassembler()
	if err != nil {
		return missing(name, fmt.Errorf("%w (only 'qdgen emit --target sass' needs it)", err))
	}
	version, err := d.Version(context.Background())
	if err != nil {
		return missing(name, err)
	}
	return finding{Name: name, OK: true, Text: fmt.Sprintf("%s, %s (%s)", d.Path, version, d.Place)}
}

// examineCache looks at the cache's directory.
func examineCache() finding {
	const name = "cache"
	c, err := cache.Open("")
	if err != nil {
		return missing(name, err)
	}
	if err := c.Disabled(); err != nil {
		return finding{Name: name, OK: errors.Is(err, cache.ErrOff), Text: err.Error()}
	}
	entries, err := c.List()
	if err != nil {
		return missing(name, err)
	}
	var size int64
	for _, e := range entries {
		size += e.Size
	}
	return finding{Name: name, OK: true, Text: fmt.Sprintf("%s, %d modules, %d KiB", c.Dir(), len(entries), (size+1023)/1024)}
}

// examineDefault opens the default device.
func examineDefault() finding {
	const name = "default device"
	dev, err := qd.Default()
	if err != nil {
		return missing(name, err)
	}
	text := fmt.Sprintf("%v: %s", dev, dev.Description())
	if v := strings.TrimSpace(os.Getenv("QD_DEVICE")); v != "" {
		text += " (named by QD_DEVICE)"
	}
	return finding{Name: name, OK: true, Text: text}
}
