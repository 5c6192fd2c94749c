package device

import (
	"context"
	"reflect"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/internal/memo"
	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/kernel"
)

// A beside makes what some launches of a program need besides it: a kernel that does its checks, that gathers nothing,
// that takes threads in batches, or one for launches of any size. The first launch that needs it builds it. Where that
// fails, the next one tries again.
type beside[T any] struct {
	of    *kernel.Func // the program's
	build func(context.Context) (T, error)
	once  memo.Once[struct{}, T]
}

// get is what has been made. It takes no longer than the context of a launch lasts, nil for none.
func (b *beside[T]) get(within context.Context) (T, error) {
	ctx := within
	if ctx == nil {
		ctx = context.Background()
	}
	v, err := b.once.DoWithin(ctx, struct{}{}, func() (T, error) { return b.build(ctx) })
	return v, failure.Building(b.of, err, within)
}

// asksOther is the error for a kernel that is needed besides another one, and has been built with another value of a
// package variable; nil if it has not.
func asksOther(of *kernel.Func, l *Loaded, asked []frontend.Asked, consequence string) error {
	if reflect.DeepEqual(l.Asked, asked) {
		return nil
	}
	return &failure.LaunchError{Kernel: of.Name(), Reason: "the kernel reads a package variable that has changed, and " + consequence}
}
