package launch

import (
	"fmt"

	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
)

// A Specialization is a kernel with values for its compile-time parameters.
type Specialization struct {
	Kernel any
	Consts []any
}

// Build makes kernels ready to be launched on the device.
func (d *Device) Build(kernels []Specialization) error {
	if d == nil || d.backend == nil {
		return &failure.LaunchError{Reason: aboutNil}
	}
	return Build(d, kernels)
}

// Build makes kernels ready to be launched on a device. If the device is nil, each kernel has its own. The error joins
// the errors of all kernels.
func Build(d *Device, kernels []Specialization) error {
	buildTogether(d, kernels)
	errs := make([]error, len(kernels))
	build.Each(len(kernels), func(i int) { errs[i] = buildOne(d, kernels[i]) })
	return failure.Join(errs...)
}

func buildOne(d *Device, spec Specialization) error {
	d, k, consts, err := spec.check(d)
	if err != nil {
		return err
	}
	return d.Specialize(k, consts)
}

// check finds the kernel, the device that it is to be built for, and the values of its constants.
func (spec *Specialization) check(d *Device) (*Device, *Kernel, []any, error) {
	k, err := kernelOf(spec.Kernel)
	if err != nil {
		return nil, nil, nil, err
	}
	if d == nil {
		if d, err = k.device(nil); err != nil {
			return nil, nil, nil, err
		}
	}
	if problem := d.cannotLaunch(k); problem != "" {
		return nil, nil, nil, &failure.LaunchError{Kernel: k.Name(), Reason: problem}
	}
	consts, err := k.checkConsts(spec.Consts)
	return d.forHandle(k), k, consts, err
}

// buildTogether builds the kernels that only the running program knows as one text: specializations for constants,
// function literals, and methods with their receivers. Other kernels are built together with their packages. It leaves
// errors to buildOne.
func buildTogether(d *Device, kernels []Specialization) {
	// Each handle for a device with a context may have a device of its own.
	type where struct {
		whole *Device
		end   <-chan struct{}
	}
	type group struct {
		dev      *Device
		requests []build.Request
	}
	groups := map[where]*group{}
	for i := range kernels {
		dev, k, consts, err := kernels[i].check(d)
		if err != nil || !k.Literal && !k.IsMethod() && len(consts) == 0 || k.Backward != nil {
			continue
		}
		if v := dev.specialization(k, consts).current.Load(); v != nil && v.Hold() {
			continue
		}
		opts, _, err := dev.optionsFor(k, consts)
		if err != nil {
			continue
		}
		if src, err := k.Source(opts); err == nil {
			at := where{dev.Whole(), dev.context().Done()}
			if groups[at] == nil {
				groups[at] = &group{dev: dev}
			}
			groups[at].requests = append(groups[at].requests, build.Request{Source: src, Kernel: k.Ref, Options: opts})
		}
	}
	for _, g := range groups {
		if len(g.requests) > 1 {
			g.dev.backend.Together(g.dev.context(), g.requests)
		}
	}
}

// checkConsts converts values to the types of the parameters that are known at compile time.
func (k *Kernel) checkConsts(values []any) ([]any, error) {
	if len(values) != len(k.Consts) {
		advice := "give all constants of the kernel, as in qd.Spec(kernel, qd.C(1))"
		if len(k.Consts) == 0 {
			advice = "give no constants"
		}
		return nil, &failure.LaunchError{Kernel: k.Name(), Reason: fmt.Sprintf("%s for %s; %s",
			dims.Plural(len(values), "constant"), dims.Plural(len(k.Consts), "qd.Const parameter"), advice)}
	}
	consts := make([]any, len(values))
	for i := range values {
		v, problem := k.Consts[i].Check(values[i])
		if problem != "" {
			return nil, k.WrongArg(k.Consts[i].Index, problem)
		}
		consts[i] = v
	}
	return consts, nil
}
