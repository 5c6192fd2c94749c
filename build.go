package qd

import "github.com/qdgen/qd/internal/runtime/launch"

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
func Build(kernels ...any) error { return public(launch.Build(nil, specializations(kernels))) }

// Build makes kernels ready to be launched: it compiles those that are not in the cache, as many
// at once as there are cores, and loads them. Each is what a launch takes, or a [Spec] for one that has
// compile-time arguments:
//
//	err := dev.Build(saxpy, qd.Spec(gemm, qd.C(64), qd.C(32)), qd.Spec(gemm, qd.C(128), qd.C(32)))
//
// Specializations, function literals and methods of one package are compiled in a few texts, which takes a fraction of
// the time of one text for each: give all of them to one Build.
// Captured variables have the values that they have now. What is ready is not made again. The error joins those of
// all kernels, each of which is one that a launch gives; the kernels without an error are ready all the same.
func (d *Device) Build(kernels ...any) error {
	return public(innerDevice(d).Build(specializations(kernels)))
}

// specializations are what package launch takes for kernels to build.
func specializations(kernels []any) []launch.Specialization {
	all := make([]launch.Specialization, len(kernels))
	for i, kernel := range kernels {
		spec, ok := kernel.(Specialization)
		if !ok {
			spec = Spec(kernel)
		}
		all[i] = launch.Specialization{Kernel: kernelOf(spec.kernel), Consts: spec.consts}
	}
	return all
}
