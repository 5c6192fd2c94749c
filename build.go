package qd

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// A Specialization is a kernel with its compile-time arguments; see [Spec].
type Specialization struct {
	kernel any
	consts []any
}

// Spec is a kernel (a function, a value with a kernel method or a [*Kernel]) with values for its
// [Const] parameters, in their order: what [Build] makes ready.
func Spec(kernel any, consts ...any) Specialization {
	return Specialization{kernel: kernel, consts: consts}
}

// Build makes kernels ready to be launched, on the default device, or on the one that
// [Kernel.WithDevice] gave a handle; see [Device.Build].
func Build(kernels ...any) error { return buildAll(nil, kernels) }

// Build makes kernels ready to be launched: it compiles those that are not in the cache, as many
// at once as there are cores, and loads them. Each is what a launch takes, or a [Spec] for one that has
// compile-time arguments:
//
//	err := dev.Build(saxpy, qd.Spec(gemm, qd.C(64), qd.C(32)), qd.Spec(gemm, qd.C(128), qd.C(32)))
//
// Captured variables have the values that they have now. What is ready is not made again. The error joins those of
// all kernels, each of which is one that a launch gives; the kernels without an error are ready all the same.
func (d *Device) Build(kernels ...any) error {
	if d == nil || d.backend == nil {
		return &LaunchError{Reason: "the device is nil; open one with Open"}
	}
	return buildAll(d, kernels)
}

// buildAll builds kernels for a device, nil for the one that each has.
func buildAll(d *Device, kernels []any) error {
	errs := make([]error, len(kernels))
	var next atomic.Int64
	var wg sync.WaitGroup
	// While some wait for compilers, of which there are no more than cores, others are lowered.
	for range min(2*runtime.GOMAXPROCS(0), len(kernels)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(kernels) {
					return
				}
				errs[i] = buildOne(d, kernels[i])
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func buildOne(d *Device, kernel any) error {
	spec, ok := kernel.(Specialization)
	if !ok {
		spec = Spec(kernel)
	}
	k, err := kernelOf(spec.kernel)
	if err != nil {
		return err
	}
	if d == nil {
		if d, err = k.device(nil); err != nil {
			return err
		}
	}
	if problem := d.cannotLaunch(k); problem != "" {
		return &LaunchError{Kernel: k.Name(), Reason: problem}
	}
	consts, err := k.checkConsts(spec.consts)
	if err != nil {
		return err
	}
	_, err = d.program(k, consts)
	return err
}

// checkConsts fits values to the parameters of a kernel that are known at compile time.
func (k *Kernel) checkConsts(values []any) ([]any, error) {
	if len(values) != len(k.consts) {
		advice := "name the kernel with all of its constants, as in qd.Spec(kernel, qd.C(1))"
		if len(k.consts) == 0 {
			advice = "name the kernel alone"
		}
		return nil, &LaunchError{Kernel: k.Name(), Reason: fmt.Sprintf("%s for %s; %s",
			plural(len(values), "constant"), plural(len(k.consts), "qd.Const parameter"), advice)}
	}
	consts := make([]any, len(values))
	for i := range values {
		v, problem := k.consts[i].check(values[i])
		if problem != "" {
			return nil, k.wrongArg(k.consts[i].index, problem)
		}
		consts[i] = v
	}
	return consts, nil
}
