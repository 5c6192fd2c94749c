package device

import (
	"reflect"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/bug"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/kernel"
)

// ReadByResults tells which parameters of a kernel that was built with checks lead to memory that its results may
// depend on. The rest of what it reads only decides whether a check fails, and a build without checks does not read it.
// It is nil if that is not known. asked is what the kernel depends on beside the options.
func ReadByResults(k *kernel.Func, opts build.Options, asked []frontend.Asked) []bool {
	opts.Checked, opts.Print, opts.Warn, opts.Remark = false, nil, nil, nil
	var read []bool
	err := bug.Guard(k.Name(), func() error {
		src, err := k.Source(opts)
		if err != nil {
			return err
		}
		spec, err := builder().Lower(src, k.Ref, opts)
		if err == nil && reflect.DeepEqual(spec.Asked, asked) { // a package variable may have changed
			read, _ = build.Uses(spec.Module)
		}
		return err
	})
	if err != nil {
		return nil
	}
	return read
}
