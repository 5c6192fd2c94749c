package cuda

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/qdgen/qd/internal/dl"
)

// EnvDriver is the environment variable that names the driver's library, where it
// is not to be looked for.
const EnvDriver = "QD_CUDA_DRIVER"

// minVersion is the oldest driver that is supported, as cuDriverGetVersion counts.
const minVersion = 11000

// A Driver is the opened and initialized CUDA driver.
type Driver struct {
	api
	path    string
	version int

	mu      sync.Mutex
	devices map[int]*Device
}

// drivers are the open ones by path, so that each is initialized once and a GPU is
// one Device.
var drivers = struct {
	sync.Mutex
	m map[string]*Driver
}{m: make(map[string]*Driver)}

// Open opens the CUDA driver: the library that QD_CUDA_DRIVER names, else
// libcuda.so.1 where the dynamic linker finds it, or where it is on WSL. The error is
// a *MissingError.
func Open() (*Driver, error) {
	if path := os.Getenv(EnvDriver); path != "" {
		return OpenLibrary(path)
	}
	const name = "libcuda.so.1"
	d, err := OpenLibrary(name)
	if err == nil {
		return d, nil
	}
	const wsl = "/usr/lib/wsl/lib/" + name
	if _, statErr := os.Stat(wsl); statErr == nil {
		return OpenLibrary(wsl)
	}
	return nil, err
}

// OpenLibrary opens the CUDA driver of a path. The error is a *MissingError.
func OpenLibrary(path string) (*Driver, error) {
	drivers.Lock()
	defer drivers.Unlock()
	if d, ok := drivers.m[path]; ok {
		return d, nil
	}
	lib, err := dl.Open(path)
	if err != nil {
		return nil, &MissingError{Reason: "there is no CUDA driver", Found: kernelModule(), Help: installHelp(), Err: err}
	}
	d := &Driver{path: path, devices: make(map[int]*Device)}
	if err := d.start(lib); err != nil {
		lib.Close()
		return nil, err
	}
	drivers.m[path] = d
	return d, nil
}

// start binds and initializes the driver and sees that there is something to use.
func (d *Driver) start(lib *dl.Lib) error {
	if err := d.bind(lib); err != nil {
		return &MissingError{Reason: fmt.Sprintf("%s is not a CUDA driver, or is older than CUDA %d", d.path, minVersion/1000),
			Found: kernelModule(), Help: updateHelp, Err: err}
	}
	var version int32
	if err := d.call(&d.driverGetVersion, uintptr(unsafe.Pointer(&version))); err != nil {
		return d.missing("the CUDA driver does not report its version", updateHelp, err)
	}
	d.version = int(version)
	if d.version < minVersion {
		return d.missing(fmt.Sprintf("the CUDA driver is too old: %d.0 is the oldest that is supported", minVersion/1000), updateHelp, nil)
	}
	if err := d.call(&d.init, 0); is(err, ErrorNoDevice) {
		return d.missing("the CUDA driver finds no GPU", noGPUHelp, err)
	} else if err != nil {
		return d.missing("the CUDA driver does not start", startHelp, err)
	}
	n, err := d.Count()
	if err != nil {
		return d.missing("the CUDA driver does not report the number of GPUs", startHelp, err)
	}
	if n == 0 {
		return d.missing("the CUDA driver finds no GPU", noGPUHelp, nil)
	}
	return nil
}

// What to do, by what is wrong.
const (
	updateHelp = "update NVIDIA's driver (nvidia.com/drivers)"
	noGPUHelp  = "check whether nvidia-smi lists one; a container needs the option --gpus all, and the NVIDIA Container Toolkit on its host"
	startHelp  = "run nvidia-smi, which shows more; after an update of the driver the machine must be restarted"
)

func installHelp() string {
	if runtime.GOOS == "darwin" {
		return "CUDA does not exist for macOS; use device cpu or go"
	}
	return "on a machine with an NVIDIA GPU install its driver (nvidia.com/drivers, or the distribution's package); a container needs the option --gpus all, and the NVIDIA Container Toolkit on its host"
}

// missing describes a driver that is there and cannot be used.
func (d *Driver) missing(reason, help string, err error) *MissingError {
	e := &MissingError{Reason: reason, Help: help, Err: err}
	if d.version > 0 {
		e.Found = append(e.Found, fmt.Sprintf("found %s for CUDA %s", d.path, d.Version()))
	} else {
		e.Found = append(e.Found, "found "+d.path)
	}
	e.Found = append(e.Found, kernelModule()...)
	if v, ok := os.LookupEnv("CUDA_VISIBLE_DEVICES"); ok {
		e.Found = append(e.Found, fmt.Sprintf("CUDA_VISIBLE_DEVICES is %q", v))
	}
	return e
}

// kernelModule says whether the operating system's part of the driver is there,
// which tells a machine without a driver from a container without its library.
func kernelModule() []string {
	if runtime.GOOS != "linux" {
		return nil
	}
	text, err := os.ReadFile("/proc/driver/nvidia/version")
	if err != nil {
		if nodes, _ := filepath.Glob("/dev/nvidia[0-9]*"); len(nodes) > 0 {
			return []string{"there are device files such as " + nodes[0]}
		}
		return []string{"no NVIDIA kernel module is loaded"}
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return []string{"the kernel module is loaded: " + strings.Join(strings.Fields(line), " ")}
}

// Path is what the driver's library was opened by.
func (d *Driver) Path() string { return d.path }

// Version is the newest CUDA that the driver supports.
func (d *Driver) Version() Version { return Version{d.version / 1000, d.version % 1000 / 10} }

// A Version is a version of CUDA.
type Version struct{ Major, Minor int }

// String is the version as people write it, "12.4".
func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// Count is the number of GPUs.
func (d *Driver) Count() (int, error) {
	var n int32
	err := d.call(&d.deviceGetCount, uintptr(unsafe.Pointer(&n)))
	return int(n), err
}

// Info describes a GPU.
type Info struct {
	Ordinal         int
	Name            string
	Major, Minor    int // compute capability
	Memory          uint64
	Multiprocessors int
	BlockMemory     int // bytes that the threads of a block can share
}

// Arch is the GPU's architecture as compilers name it, "sm_90".
func (i *Info) Arch() string { return fmt.Sprintf("sm_%d%d", i.Major, i.Minor) }

// String is a line for people.
func (i *Info) String() string {
	return fmt.Sprintf("%s, %s, %d multiprocessors, %s", i.Name, i.Arch(), i.Multiprocessors, size(i.Memory))
}

// Info describes the GPU of an ordinal, without using it.
func (d *Driver) Info(ordinal int) (*Info, error) {
	_, info, err := d.info(ordinal)
	return info, err
}

func (d *Driver) info(ordinal int) (handle int32, info *Info, err error) {
	n, err := d.Count()
	if err != nil {
		return 0, nil, err
	}
	if ordinal < 0 || ordinal >= n {
		return 0, nil, fmt.Errorf("there is no GPU %d; the driver has %d, counted from 0", ordinal, n)
	}
	if err := d.call(&d.deviceGet, uintptr(unsafe.Pointer(&handle)), uintptr(ordinal)); err != nil {
		return 0, nil, err
	}
	info = &Info{Ordinal: ordinal}
	name := make([]byte, 256)
	if err := d.call(&d.deviceGetName, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(handle)); err != nil {
		return 0, nil, err
	}
	info.Name = zeroTerminated(name)
	if err := d.call(&d.deviceTotalMem, uintptr(unsafe.Pointer(&info.Memory)), uintptr(handle)); err != nil {
		return 0, nil, err
	}
	for _, a := range []struct {
		v         *int
		attribute uintptr
	}{
		{&info.Major, attributeMajor},
		{&info.Minor, attributeMinor},
		{&info.Multiprocessors, attributeMultiprocessors},
		{&info.BlockMemory, attributeBlockMemory},
	} {
		var v int32
		if err := d.call(&d.deviceGetAttribute, uintptr(unsafe.Pointer(&v)), a.attribute, uintptr(handle)); err != nil {
			return 0, nil, err
		}
		*a.v = int(v)
	}
	return handle, info, nil
}

// zeroTerminated is the string in a buffer that C code has filled.
func zeroTerminated(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}

// size prints a number of bytes for people.
func size(n uint64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%.0f GiB", float64(n)/(1<<30))
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d bytes", n)
}
