//go:build unix && !race

package e2e

import "testing"

// QD_DEVICE names the default device, and an error about it says so.
func TestDeviceVariable(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	m := newMachine(t)
	for _, device := range []string{"go", "cpu"} {
		m.env["QD_DEVICE"] = device
		m.run(stranger(t), "saxpy").right(device, "saxpy")
	}
	m.env["QD_DEVICE"] = " cpu " // white space is no part of a name
	m.run(stranger(t), "saxpy").right("cpu", "saxpy")
	// The program's own choice wins.
	m.run(stranger(t), "-device", "go", "saxpy").right("go", "saxpy")
	for _, wrong := range []string{"gpu", "CPU", "cuda:", "cuda:x", "cuda:-1", "cuda:00", "go cpu"} {
		m.env["QD_DEVICE"] = wrong
		m.run(stranger(t), "saxpy").fails("*qd.DeviceError", `"`+wrong+`"`, "QD_DEVICE", `"go"`, `"cpu"`, `"cuda:0"`)
	}
	delete(m.env, "QD_DEVICE")
	m.run(stranger(t), "-device", "gpu", "saxpy").fails("*qd.DeviceError", `"gpu"`, `"cuda:0"`)
}
